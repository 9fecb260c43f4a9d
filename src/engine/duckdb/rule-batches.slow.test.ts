import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rule } from '#shared/rules/schema.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Relation } from './relation.ts';
import { requestedPlace, compileRulesInBatches } from './rule-batches.ts';
import { countRules, countRulesInBatches } from '#engine/analysis/rule-counts.ts';
import { countEffect, effectItems } from '#engine/analysis/rule-effect.ts';
import { act, calculate, exclude, rule, when } from '#engine/testing/case.ts';
import { evaluate, type Item } from '#engine/testing/evaluator.ts';
import { answerOf, itemsAfter, rowsOf, shown } from '#engine/testing/run-rules.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';

let folder: string;
let connection: DuckDBConnection;
let relation: Relation;

const shoes: Item[] = [
  ['Schuh rot', '10,00'],
  ['Schuh blau', '20,00'],
  ['Hose rot', 'auf Anfrage'],
].map(([title = '', price = ''], at) => ({
  id: `A${at}`,
  fields: new Map([
    ['Titel', title],
    ['Preis', price],
  ]),
}));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-batches-'));
  connection = await rawConnection(1);
  relation = await writeSnapshot(connection, join(folder, 'items.parquet'), shoes, ['Titel', 'Preis']);
});

afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true });
});

async function inBatches(list: readonly Rule[]): Promise<{ tables: number; items: Item[] }> {
  const batches = compileRulesInBatches(relation, readRules(list), { live: 'all', table: (at) => `batch_${at}` });
  for (const { sql, values } of batches.statements) await connection.run(sql, [...values]);
  return { tables: batches.statements.length, items: await itemsAfter(connection, batches.relation, []) };
}

test('RUL-15 500 rules that build on each other run in batches', { timeout: 60_000 }, async () => {
  const list = Array.from({ length: 500 }, (_, at) =>
    rule(
      [when('Titel', 'contains', at === 0 ? 'schuh' : `-${at - 1}-`)],
      [act('Titel', 'append', `-${at}-`), calculate('Preis', 'add', '1'), act('Titel', 'replace', 'rot', 'blau')],
    ),
  );
  const { tables, items } = await inBatches(list);
  expect(tables).toBeGreaterThan(1);
  expect(items.map(({ fields }) => fields.get('Preis'))).toEqual(['510.00', '520.00', 'auf Anfrage']);
  expect(items[0]?.fields.get('Titel')?.endsWith('-498--499-')).toBe(true);
});

const chained = Array.from({ length: 500 }, (_, at) =>
  rule(
    [when('Titel', 'contains', at === 0 ? 'schuh' : `-${at - 1}-`)],
    [act('Titel', 'append', `-${at}-`), calculate('Preis', 'add', '1')],
  ),
);
const rankings = Array.from({ length: 40 }, () =>
  rule([when('Preis', 'is_in_highest', '1')], [calculate('Preis', 'subtract', '1')]),
);
const grouped = Array.from({ length: 60 }, (_, at) =>
  rule(
    [when('Titel', 'is_not_empty')],
    [act(at % 2 === 0 ? 'Titel' : 'Preis', 'group', { field: at % 2 === 0 ? 'Preis' : 'Titel' })],
  ),
);

test.each<[string, Rule[]]>([
  ['500 rules that each read the result of the previous one', chained],
  ['40 rankings in sequence', rankings],
  ['60 groupings by the result of the previous one', grouped],
])('RUL-11 RUL-15 %s are counted, and the last one shown', { timeout: 120_000 }, async (_name, list) => {
  const truth = evaluate(shoes, ['Titel', 'Preis'], list).rules;
  const compiled = readRules(list);
  const counts = [];
  for (const { statement, read } of countRulesInBatches(relation, compiled, { table: (at) => `count_${at}` })) {
    const [row] = await rowsOf(connection, statement);
    if (read) counts.push(...read(row ?? {}));
  }
  expect(counts).toEqual(truth.map(({ rows: _rows, failed: _failed, ...count }) => count));
  const last = truth.at(-1);
  const place = requestedPlace(relation, compiled, last?.ruleId ?? '', { show: [], table: (at) => `place_${at}` });
  for (const { sql, values } of place.statements) await connection.run(sql, [...values]);
  const effect = await answerOf(
    connection,
    countEffect(place.relation, place.rules, last?.ruleId ?? '', { sample: 9 }),
  );
  expect(effect).toMatchObject({ pre: last?.pre, held: last?.held, diff: last?.diff });
  const shown = effectItems(place.relation, place.rules, last?.ruleId ?? '', {
    rows: [...effect.changed, ...effect.same],
    title: 'Titel',
  });
  const items = shown.read(await rowsOf(connection, shown.statement));
  expect(items.map(({ id }) => id).toSorted()).toEqual(last?.rows.map(({ id }) => id).toSorted());
});

test('RUL-15 DuckDB can run the largest rule allowed', { timeout: 120_000 }, async () => {
  const lines = (word: string) => Array.from({ length: 1_000 }, (_, at) => `${word}${at}`).join('\n');
  const conditions = Array.from({ length: 50 }, (_, at) => when('Preis', 'is_in_highest', String(at + 3)));
  const changes = Array.from({ length: 50 }, (_, at) =>
    at % 25 === 0
      ? act('Titel', 'replace', lines(`x${at}-`), lines('y'))
      : calculate('Preis', 'divide', { field: 'Preis' }),
  );
  const list = [...chained.slice(0, 40), rule(conditions, changes)];
  const { items } = await inBatches(list);
  expect(shown(items)).toEqual(shown(evaluate(shoes, ['Titel', 'Preis'], list).items));
});

test(
  'RUL-15 many successive rankings run in batches, each on the result of the one before',
  { timeout: 60_000 },
  async () => {
    const list = Array.from({ length: 30 }, () =>
      rule([when('Preis', 'is_in_highest', '1')], [calculate('Preis', 'subtract', '1')]),
    );
    const { items } = await inBatches(list);
    expect(shown(items)).toEqual(shown(evaluate(shoes, ['Titel', 'Preis'], list).items));
  },
);

test('RUL-15 fifty rules on one field are one statement', async () => {
  const list = Array.from({ length: 50 }, (_, at) =>
    rule([when('Titel', 'contains', 'schuh')], [act('Titel', 'append', `-${at}`)]),
  );
  const { tables, items } = await inBatches(list);
  expect(tables).toBe(0);
  expect(items[0]?.fields.get('Titel')).toMatch(/^Schuh rot-0-1.*-49$/);
});

test(
  'RUL-15 500 mostly independent rules are one statement, and so are their counts',
  { timeout: 60_000 },
  async () => {
    const list = Array.from({ length: 500 }, (_, at) =>
      rule([when('Titel', 'contains', `${at}`)], [act(`Feld ${at % 40}`, 'set', `${at}`)]),
    );
    const { tables, items } = await inBatches(list);
    expect([tables, items.length]).toEqual([0, 3]);
    expect(await answerOf(connection, countRules(relation, readRules(list)))).toHaveLength(500);
  },
);

test('RUL-15 batches leave fields that no rule writes out of later tables, and join them again without excluded items', async () => {
  const fields = ['Titel', 'Preis', ...Array.from({ length: 9 }, (_, at) => `Neben ${at}`)];
  const many = Array.from({ length: 40 }, (_, at) => ({
    id: `B${at}`,
    fields: new Map(fields.map((field) => [field, field === 'Preis' ? `${at},00` : `${field} schuh ${at}`])),
  }));
  const wide = await writeSnapshot(connection, join(folder, 'wide.parquet'), many, fields);
  const list = [...chained.slice(0, 200), rule([when('Preis', 'is_greater_than', '230')], [exclude()])];
  const batches = compileRulesInBatches(wide, readRules(list), { live: 'all', table: (at) => `wide_${at}` });
  expect(batches.statements.length).toBeGreaterThan(1);
  expect(batches.statements.at(-1)?.sql).not.toContain('"k2"');
  for (const { sql, values } of batches.statements) await connection.run(sql, [...values]);
  const items = await itemsAfter(connection, batches.relation, []);
  const truth = evaluate(many, fields, list).items;
  expect(truth.length).toBeLessThan(40);
  expect(items.map(({ id }) => id)).toEqual(truth.map(({ id }) => id));
  expect(shown(items)).toEqual(shown(truth));
});
