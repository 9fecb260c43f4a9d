import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { always, calculate, rule } from '#engine/testing/case.ts';
import type { Item } from '#engine/testing/evaluator.ts';
import { CATALOGUE, catalogueFields, items, rules } from '#engine/testing/random-rules.ts';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { answerOfWay } from './answer.ts';
import { followItem } from './explain.ts';
import type { ItemPlan } from './past-plan.ts';

let folder: string;
let duckdb: DuckDb;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-answer-'));
  duckdb = await DuckDb.open({ folder, threads: 1 });
  connection = await rawConnection();
});
afterAll(async () => {
  connection.closeSync();
  duckdb.close();
  await rm(folder, { recursive: true });
});

/** KONTOR_EXPLAIN_RUNS=2000 is for a run overnight. */
const RUNS = Number(process.env['KONTOR_EXPLAIN_RUNS'] ?? 12);

/** The first item's way through the master's rules and, with a `construction`, an export, as on the wire. */
async function explained(
  articles: readonly Item[],
  masterRules: readonly Rule[],
  field?: string,
  construction?: readonly ConstructionRow[],
) {
  const path = join(folder, 'items.parquet');
  await writeSnapshot(connection, path, articles, CATALOGUE);
  const facts = { company: 'c', masterid: 'm', number: 1, items: articles.length, key: null, runid: '', source: '' };
  const now: ItemPlan = {
    plan: {
      snapshot: { ...facts, fields: catalogueFields, createdAt: new Date(0) },
      path,
      masterRules,
      mappings: [],
      exportRules: [],
      tables: noTables,
      construction: construction ?? [],
      attributes: [],
      template: undefined,
    },
    revisions: { snapshot: 1, masterRules: 1, exportRules: 0, construction: 0, settings: 0 },
    settings: undefined,
  };
  const format = construction && OutputFormat.parse({});
  const way = await followItem(duckdb, now.plan, articles[0]?.id ?? '', format);
  if (!way) throw new Error('no such item');
  const answer = answerOfWay({ now, way, exportName: construction && 'Export', field });
  const { met } = way.master;
  return { ...answer, held: met.map(({ held }) => held), done: met.map((one) => [one.held, ...one.undone].join()) };
}

const item = (fields: Record<string, string>): Item => ({ id: 'A1', fields: new Map(Object.entries(fields)) });

test('a construction whose rows have no source yet is explained as none: all fields under their own names', async () => {
  const row = ConstructionRow.parse({ id: 'r1', exportfield: 'title', valuetype: 'field' });
  const { stages, fields } = await explained([item({ Preis: '10' })], [], undefined, [row]);
  expect(stages.find(({ kind }) => kind === 'construction')).toMatchObject({ passThrough: true, reached: true });
  expect(fields.map(({ name }) => name)).toEqual(CATALOGUE);
});

test('a failed calculation on a field does not hide the other one that set its value', async () => {
  const doubled = calculate('Preis', 'multiply', '2', 'größe');
  const more = calculate('Preis', 'add', '5');
  const first = await explained([item({ Preis: '10' })], [rule([always()], [doubled, more])], 'Preis');
  expect(first.field).toMatchObject({ value: '15.00', raw: [{ field: 'Preis', value: '10', used: true }] });
  expect(first.answer).toContain('„15.00“ (nicht alles daran war berechenbar)');
  // The second calculation cannot be done: the value that the first made from another field remains.
  const by = calculate('Preis', 'add', { field: 'menge' });
  const second = await explained([item({ Preis: '10', größe: '4' })], [rule([always()], [doubled, by])], 'Preis');
  expect(second.field?.value).toBe('8.00');
  expect(second.field?.raw.filter(({ used }) => used)).toEqual([{ field: 'größe', value: '4', used: true }]);
  const none = await explained([item({ Preis: 'viel' })], [rule([always()], [more])], 'Preis');
  expect(none.answer).toContain('nicht berechenbar');
});

/** Without 'group', whose result depends on other items. */
const own = rules.map((list) =>
  list.map((one) => ({ ...one, actions: one.actions.filter(({ select }) => select !== 'group') })),
);

test(
  'random rules: pausing a rule or changing a field that an explanation does not name leaves the value unchanged',
  { timeout: 60_000 + RUNS * 2_000 },
  async () => {
    let [rulesTried, fieldsTried] = [0, 0];
    await fc.assert(
      fc.asyncProperty(items, own, own, fc.nat(99), fc.nat(99), async (articles, one, two, whichRule, whichField) => {
        const list = [...one, ...two];
        const [first, ...others] = articles;
        if (!first) return;
        const before = await explained(articles, list);
        const heldRules = list.filter((candidate) => candidate.active).filter((_, at) => before.held[at]);
        const paused = heldRules[whichRule % Math.max(1, heldRules.length)];
        if (paused) {
          const place = list.filter(({ active }) => active).indexOf(paused);
          const after = await explained(
            articles,
            list.map((other) => (other === paused ? { ...other, active: false } : other)),
          );
          // If the pause makes another calculation possible, the way is a different one.
          if (String(after.done) === String(before.done.filter((_, at) => at !== place))) {
            rulesTried += 1;
            for (const { name, value, changedBy } of before.fields)
              if (!changedBy.some(({ ruleId }) => ruleId === paused.id))
                expect([name, after.fields.find((field) => field.name === name)?.value ?? null]).toEqual([name, value]);
          }
        }
        const source = CATALOGUE[whichField % CATALOGUE.length] ?? 'Titel';
        const other = { ...first, fields: new Map([...first.fields, [source, 'etwas ganz anderes']]) };
        const after = await explained([other, ...others], list);
        if (String(after.done) !== String(before.done)) return;
        fieldsTried += 1;
        for (const { name, value, raw } of before.fields)
          if (!raw.some(({ field, used }) => used && field === source))
            expect([name, after.fields.find((field) => field.name === name)?.value ?? null]).toEqual([name, value]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(Math.min(rulesTried, fieldsTried)).toBeGreaterThan(0);
  },
);
