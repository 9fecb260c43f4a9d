import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { name, statement } from '#platform/duckdb/sql.ts';
import { assign, countAssigned, type AssignRow, type AssignTest } from './assign.ts';
import { itemsQuery, query, snapshotRelation, type Relation } from './relation.ts';

let folder: string;
let duckdb: DuckDb;
let items: Relation;

const values: (string | null)[][] = [
  ['Schuh Größe 42', 'Adidas'],
  ['Hose blau', 'adidas AG'],
  ['hose', null],
  [null, 'NIKE'],
  ['Schuhe & Hosen (Set)', 'Nike'],
  ['50% Wolle', 'a.b'],
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-assign-'));
  duckdb = await DuckDb.open({ folder });
  const path = join(folder, 'snapshot.parquet');
  const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
  const rows = values.map((row, index) => `('${index + 1}', ${row.map(text).join(', ')})`).join(', ');
  await duckdb.all({
    sql: `COPY (SELECT * FROM (VALUES ${rows}) t(_id, f0001, f0002)) TO '${path}' (FORMAT parquet)`,
    values: [],
  });
  items = snapshotRelation({
    path,
    fields: [
      { id: 'f0001', name: 'Titel' },
      { id: 'f0002', name: 'Marke' },
    ],
  });
});
afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

const on = (field: string, kind: AssignTest['kind'], value: string, negated = false): AssignTest => ({
  source: { from: 'field', field },
  kind,
  negated,
  value,
});
const row = (conditions: AssignTest[], output: string): AssignRow => ({ conditions, outputs: [output] });
const assigned = async (rows: readonly AssignRow[]) => {
  const found = await duckdb.all(statement(itemsQuery(assign(items, rows, ['Ziel']), ['Ziel'])));
  return found.map((one) => one['c0']);
};
const counted = async (rows: readonly AssignRow[]) => {
  const { relation, body, read } = countAssigned(items, rows);
  return read(await duckdb.all(query(relation, body(name(relation.from)))));
};

test('MAP-09 CAT-12 the first row whose conditions all match assigns its target, ignoring case', async () => {
  const rows = [
    row([on('Titel', 'contains', 'SCHUH'), on('Marke', 'startsWith', 'nike')], 'Nike-Schuhe'),
    row([on('Titel', 'contains', 'schuh')], 'Schuhe'),
    row([on('Titel', 'equals', 'Hose')], 'Hosen'),
    row([on('Titel', 'contains', 'hose', true)], 'Rest'),
  ];
  expect(await assigned(rows)).toEqual(['Schuhe', null, 'Hosen', 'Rest', 'Nike-Schuhe', 'Rest']);
  expect(await counted(rows)).toEqual({ rows: [1, 1, 1, 2], none: 1 });
});

test('MAP-07 a matching row with an empty target still wins; an empty value matches nothing; no rows assign nothing', async () => {
  expect(await assigned([row([on('Titel', 'contains', '')], 'x'), row([on('Titel', 'contains', 'o')], '')])).toEqual(
    values.map(() => null),
  );
  expect(await counted([row([on('Titel', 'contains', 'hose')], '')])).toEqual({ rows: [3], none: 3 });
  expect(await assigned([])).toEqual(values.map(() => null));
});

test('CON-03 a condition on a fixed text matches every item or none', async () => {
  const literal = (text: string, value: string, negated = false): AssignTest => ({
    source: { from: 'literal', text },
    kind: 'equals',
    negated,
    value,
  });
  expect(await assigned([row([literal('a', 'b')], 'x'), row([literal('A', 'a')], 'y')])).toEqual(values.map(() => 'y'));
  expect(await assigned([row([literal('', '')], 'x'), row([literal('a', 'b', true)], 'y')])).toEqual(
    values.map(() => 'y'),
  );
});

/** The expected result by the plain definition: row by row, condition by condition. */
function expected(rows: readonly AssignRow[]): (string | null)[] {
  const holds = (test: AssignTest, item: readonly (string | null)[]) => {
    const text = test.source.from === 'literal' ? test.source.text : item[test.source.field === 'Titel' ? 0 : 1];
    const [one, other] = [text?.toLowerCase() ?? '', test.value.toLowerCase()];
    const methods = { contains: 'includes', startsWith: 'startsWith', endsWith: 'endsWith' } as const;
    const same = test.kind === 'equals' ? one === other : one[methods[test.kind]](other);
    return (one !== '' && other !== '' && same) !== test.negated;
  };
  return values.map((item) => {
    const found = rows.find(({ conditions }) => conditions.every((test) => holds(test, item)));
    return found?.outputs[0] === '' ? null : (found?.outputs[0] ?? null);
  });
}

const words = [
  'schuh',
  'Hose',
  'HOSE',
  'blau',
  '42',
  'adidas',
  'Nike',
  '.',
  '%',
  '(Set)',
  'größe',
  '',
  'hose blau',
  'a.b',
];
const anyTest = fc
  .record({
    field: fc.constantFrom('Titel', 'Marke'),
    kind: fc.constantFrom('contains' as const, 'equals' as const, 'startsWith' as const, 'endsWith' as const),
    negated: fc.boolean(),
    value: fc.constantFrom(...words),
  })
  .map(({ field, kind, negated, value }) => on(field, kind, value, negated));

test('CAT-09 CAT-12 random rows, through hash look-ups and patterns, assign the same as the plain definition', async () => {
  const anyRow = fc.record({
    conditions: fc.array(anyTest, { minLength: 1, maxLength: 2 }),
    outputs: fc.tuple(fc.constantFrom('', 'A', 'B', 'C')),
  });
  // Enough equality rows with other values that the hash look-up is used.
  const filler = Array.from({ length: 40 }, (_, index) => row([on('Titel', 'equals', `nie ${index}`)], 'nie'));
  const contains = Array.from({ length: 40 }, (_, index) => row([on('Marke', 'contains', `nie ${index}`)], 'nie'));
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 12 }), fc.boolean(), async (rows, long) => {
      const all = long ? [...filler, ...contains, ...rows] : rows;
      expect(await assigned(all)).toEqual(expected(all));
    }),
    { numRuns: 150 },
  );
});

test('MAP-07 100,000 rows on one field are compiled without copying the list for each row', () => {
  const columns = new Map([['Titel', 'f0001']]);
  const relation: Relation = { steps: [], from: 'items', columns, shuffled: false };
  const rows = Array.from({ length: 100_000 }, (_, index) => row([on('Titel', 'contains', `wort ${index}`)], 'A'));
  // With a copy of the list for each row this took minutes and blocked the process: the test would then time out.
  const { columns: made } = assign(relation, rows, ['Ziel']);
  expect([...made.keys()]).toEqual(['Titel', 'Ziel']);
});
