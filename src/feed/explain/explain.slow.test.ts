import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withSteps } from '#engine/duckdb/relation.ts';
import { evaluate } from '#engine/testing/evaluator.ts';
import { CATALOGUE, catalogueFields, items, rules } from '#engine/testing/random-rules.ts';
import { act, calculate, rule, when } from '#engine/testing/case.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, duck, statement } from '#platform/duckdb/sql.ts';
import { CategoryRow, Mapping, MappingRow } from '#shared/assignments/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { defaultFormat } from '#shared/exports/schema.ts';
import { followItem } from './explain.ts';
import { type ExportTables, noTables } from '#feed/stages/assignments/tables.ts';
import { demand } from '#feed/plan/demand.ts';
import { build } from '#feed/plan/build.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';

let folder: string;
let duckdb: DuckDb;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'kontor-explain-'));
  duckdb = await DuckDb.open({ folder, threads: 1 });
  connection = await rawConnection();
});

afterAll(async () => {
  connection.closeSync();
  duckdb.close();
  await rm(folder, { recursive: true });
});

/** KONTOR_EXPLAIN_RUNS=2000 is for a run overnight. */
const RUNS = Number(process.env['KONTOR_EXPLAIN_RUNS'] ?? 8);

const rowOf = (index: number, row: object) => ConstructionRow.parse({ id: `c${index}`, ...row });
const field = (value: string) => ({ type: '_field', value });
/** Every kind of row; and, half of the time, no construction at all. */
const constructions = fc.constantFrom(
  [],
  [
    rowOf(0, { exportfield: 'id', valuetype: 'field', field: [field('_id')] }),
    rowOf(1, { exportfield: 'price', valuetype: 'field', field: [field('Preis')], mp_state: 'Required' }),
    rowOf(2, {
      exportfield: 'title',
      valuetype: 'combine',
      field: [field('Titel'), { type: '_string', value: ' · ' }, field('neu')],
    }),
    rowOf(3, { exportfield: 'fixed', valuetype: 'input', field: [{ type: '_string', value: 'neu' }] }),
    rowOf(4, { exportfield: '', field: [field('Titel')] }),
    rowOf(5, { exportfield: 'none', valuetype: 'field', field: [] }),
    rowOf(7, {
      exportfield: 'mapped',
      valuetype: 'combine',
      field: [
        { type: '_mapping', value: 'Zwei' },
        { type: '_intern', value: 'category_name' },
      ],
    }),
    rowOf(8, { exportfield: 'color', valuetype: 'field', field: [{ type: '_intern', value: 'color' }] }),
    rowOf(6, { exportfield: 'gone', valuetype: 'field', field: [field('gibt es nicht')] }),
  ],
);

/** Long enough for several statements; only the last rules exclude, so that some items get far. */
const many = rules.filter(({ length }) => length > 5);
const longRules = fc
  .tuple(many, many, many, many, rules)
  .map((lists) =>
    lists.flatMap((list, at) =>
      at === 4
        ? list
        : list.map((one) => ({ ...one, actions: one.actions.filter(({ select }) => select !== 'unset') })),
    ),
  );

const line = (index: number, source: object, filter: string, value: string, target: string) => ({
  id: `z${index}`,
  field: [source],
  filter,
  value,
  target,
});
/** One mapping that reads fields, one that reads the first mapping, one that nothing reads. */
const mappings = [
  {
    id: 'eins',
    name: 'Eins',
    data: [
      line(0, field('Titel'), 'contains', 'rot', 'ROT'),
      { ...line(1, field('Titel'), 'contains', 'a', 'weg'), active: false },
      line(2, field('größe'), 'begins_with', 'g', 'G'),
      line(3, field('neu'), 'is_equal', '5,00', 'fünf'),
    ],
  },
  {
    id: 'zwei',
    name: 'Zwei',
    data: [
      line(0, { type: '_mapping', value: 'Eins' }, 'is_equal', 'rot', 'zweimal rot'),
      line(1, field('menge'), 'contains', '1', ''),
      line(2, { type: '_string', value: 'immer' }, 'is_equal', 'immer', 'sonst'),
    ],
  },
  { id: 'drei', name: 'Drei', data: [] },
].map((one) => Mapping.parse(one));
const tables: ExportTables = {
  ...noTables,
  categories: [
    CategoryRow.parse({
      id: 'k1',
      field: [
        { input: { type: '_mapping', value: 'Zwei' }, filter: 'contains', value: 'rot' },
        { input: field('Preis'), filter: 'not_contains', value: '9' },
      ],
      target: '17',
      catname: 'Rotes',
      producttyp: 'typ',
    }),
  ],
  colors: [MappingRow.parse(line(0, { type: '_intern', value: 'category' }, 'is_equal', '17', 'rot'))],
};
const mappedRule = {
  ...rule([when('_mapping:Zwei', 'contains', 'sonst')], [act('Titel', 'append', { field: '_mapping:Eins' })]),
};

async function exported(plan: ExportPlan): Promise<Map<string, (string | null)[]>> {
  const { statements, relation, columns } = build(plan, demand(plan));
  const chosen = join([duck`id`, ...columns.map(({ column }) => name(column))], duck`, `);
  const all = statement(withSteps(relation, duck`SELECT ${chosen} FROM ${name(relation.from)}`));
  const rows = await duckdb.last([...statements, all]);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return new Map(rows.map((row) => [String(row['id']), columns.map(({ column }) => text(row[column]))]));
}

test(
  'RUL-15 random rules on random items: an explanation shows the same values as the export pipeline, rule by rule',
  { timeout: 60_000 + RUNS * 3_000 },
  async () => {
    let [longest, mapped] = [0, 0];
    await fc.assert(
      fc.asyncProperty(items, longRules, rules, constructions, async (generated, master, own, construction) => {
        const path = joinPath(folder, 'random.parquet');
        await writeSnapshot(connection, path, generated, CATALOGUE);
        const plan: ExportPlan = {
          snapshot: {
            company: 'c',
            masterid: 'm',
            number: 1,
            items: generated.length,
            fields: catalogueFields,
            key: null,
            runid: 'r',
            source: '',
            createdAt: new Date(0),
          },
          path,
          masterRules: master,
          mappings,
          exportRules: [...own, mappedRule],
          tables,
          construction,
          attributes: [],
          template: undefined,
        };
        const truth = await exported(plan);
        const first = evaluate(generated, CATALOGUE, master);
        for (const item of generated.filter((_, at) => at % 2 === 0)) {
          const way = await followItem(duckdb, plan, item.id, defaultFormat);
          const met = [...(way?.mappings ?? []), ...(way?.tables ?? [])];
          mapped += met.some(({ row }) => row !== undefined) ? 1 : 0;
          expect(way?.construction?.map(({ value }) => value)).toEqual(truth.get(item.id));
          longest = Math.max(longest, way?.master.met.length ?? 0);
          // The master's rules one by one, against the evaluator.
          const reached = first.rules.filter(({ failed }) => failed.has(item.id));
          expect(way?.master.met.map(({ conditions }) => conditions.findIndex(({ held }) => !held))).toEqual(
            reached.map(({ failed }) => failed.get(item.id)),
          );
          reached.forEach((rule, at) => {
            const row = rule.rows.find(({ id }) => id === item.id);
            for (const { field: changed, before, after } of way?.master.met[at]?.changes ?? []) {
              expect([changed, before, after]).toEqual([
                changed,
                row?.before.get(changed) ?? null,
                row?.after.get(changed) ?? null,
              ]);
            }
          });
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    // Some items passed more rules than one statement takes.
    expect(longest).toBeGreaterThan(25);
    expect(mapped).toBeGreaterThan(0);
  },
);

test('RUL-15 a price with a thousands separator is explained with the number that the rules read', async () => {
  const path = joinPath(folder, 'thousands.parquet');
  const generated = ['1.299', '12,50'].map((price, at) => ({ id: `A${at}`, fields: new Map([['Preis', price]]) }));
  await writeSnapshot(connection, path, generated, CATALOGUE);
  const fields = catalogueFields.map((one) =>
    one.name === 'Preis' ? { ...one, guess: 'price' as const, groups: { mark: 'point' as const, sure: true } } : one,
  );
  const dear = rule([when('Preis', 'is_greater_than', '1000')], [calculate('Preis', 'multiply', '2')]);
  const copied = rule([when('@ALL@', 'contains', '')], [act('VK', 'copy', { field: 'Preis' })]);
  const halved = rule([when('VK', 'is_greater_than', '1000')], [calculate('neu', 'multiply', '0.5', 'VK')]);
  const facts = { company: 'c', masterid: 'm', number: 1, items: 2, key: null, runid: 'r', source: '' };
  const plan: ExportPlan = {
    snapshot: { ...facts, fields, createdAt: new Date(0) },
    path,
    masterRules: [copied, dear],
    mappings: [],
    exportRules: [halved],
    tables: noTables,
    construction: ['Preis', 'neu', 'VK'].map((name, at) =>
      rowOf(at, { exportfield: name, valuetype: 'field', field: [field(name)] }),
    ),
    attributes: [],
    template: undefined,
  };
  const truth = await exported(plan);
  expect([...truth.values()]).toEqual([
    ['2598.00', '649.50', '1.299'],
    ['12,50', null, '12,50'],
  ]);
  for (const { id } of generated) {
    const way = await followItem(duckdb, plan, id, defaultFormat);
    expect(way?.construction?.map(({ value }) => value)).toEqual(truth.get(id));
    expect(way?.master.met.map(({ held }) => held)).toEqual([true, id === 'A0']);
    expect(way?.own?.met.map(({ held }) => held)).toEqual([id === 'A0']);
  }
});
