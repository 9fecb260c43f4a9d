import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { act, rule, when } from '#engine/testing/case.ts';
import { CATALOGUE, items as randomItems, rules as randomRules } from '#engine/testing/random-rules.ts';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';
import { inOrder, withSteps } from '#engine/duckdb/relation.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join as joined, name, statement } from '#platform/duckdb/sql.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { importedFieldSchema } from '#shared/import/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { build } from './build.ts';
import { demand } from './demand.ts';
import type { ExportPlan } from './export-plan.ts';
import { planOfPart, recordStatements, wholeCatalogueAsked } from './whole-catalogue.ts';

let folder: string;
let duckdb: DuckDb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-parts-'));
  duckdb = await DuckDb.open({ folder, threads: 1 });
});
afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

const RUNS = Number(process.env['KONTOR_RULE_RUNS'] ?? 12);

const constructed = [...CATALOGUE, 'neu', '#'].map((value) =>
  ConstructionRow.parse({
    id: value,
    exportfield: value,
    field: [value === '#' ? { type: '_intern', value: 'index' } : { type: '_field', value }],
  }),
);

function planOf(masterRules: readonly Rule[], exportRules: readonly Rule[]): ExportPlan {
  const fields = CATALOGUE.map((field, index) =>
    importedFieldSchema.parse({
      id: `f${String(index + 1).padStart(4, '0')}`,
      name: field,
      header: field,
      guess: 'text',
      filled: 1,
      example: '',
    }),
  );
  const snapshot = { company: 'c', masterid: 'm', number: 1, items: 0, fields, key: null, runid: '', source: '' };
  return {
    snapshot: { ...snapshot, createdAt: new Date(0) },
    path: join(folder, 'items.parquet'),
    masterRules,
    mappings: [],
    exportRules,
    tables: noTables,
    construction: constructed,
    attributes: [],
    template: undefined,
  };
}

async function itemsOf(plan: ExportPlan): Promise<string[]> {
  const { statements, relation, columns } = build(plan, demand(plan));
  const chosen = joined([name('id'), ...columns.map(({ column }) => name(column))], duck`, `);
  const body = duck`SELECT ${chosen} FROM ${name(relation.from)}${inOrder(relation)}`;
  const rows = await duckdb.last([...statements, statement(withSteps(relation, body))]);
  return rows.map((row) => JSON.stringify(row));
}

/** The items of a plan computed in parts of a few items each. */
async function inParts(plan: ExportPlan, items: number, size: number): Promise<string[]> {
  const keys = wholeCatalogueAsked(plan);
  const answers = join(folder, 'answers.parquet');
  await duckdb.last(recordStatements(plan, keys, answers));
  const found: string[] = [];
  for (let from = 0; from < items; from += size)
    found.push(...(await itemsOf(planOfPart(plan, { from, to: from + size }, { keys, answers }))));
  return found;
}

test('RUL-15 items computed in parts equal items computed at once, also if rules rank or group all items', async () => {
  const connection = await rawConnection(1);
  let whole = 0;
  const property = fc.asyncProperty(randomItems, randomRules, randomRules, async (given, above, below) => {
    await writeSnapshot(connection, join(folder, 'items.parquet'), given, CATALOGUE);
    // Random rules rank and group only occasionally; these always do, and the second reads what the first wrote.
    const grouping = [
      rule([when('Preis', 'is_in_highest', '2')], [act('Titel', 'group', { field: 'menge' })]),
      rule([when('Titel', 'is_in_lowest', { field: 'menge' })], [act('neu', 'group', { field: 'Titel' })]),
    ];
    const plan = planOf([...above, ...grouping], [...below, ...grouping]);
    whole += wholeCatalogueAsked(plan).length;
    expect(await inParts(plan, given.length, Math.ceil(given.length / 3))).toEqual(await itemsOf(plan));
  });
  await fc.assert(property, { numRuns: RUNS });
  expect(whole).toBeGreaterThan(RUNS * 8);
  connection.closeSync();
}, 120_000);

test('a plan without rules across items needs no results from the whole catalogue', () => {
  const plan = { ...planOf([rule([when('Titel', 'contains', 'x')], [act('neu', 'set', 'y')])], []), construction: [] };
  expect(wholeCatalogueAsked(plan)).toEqual([]);
});
