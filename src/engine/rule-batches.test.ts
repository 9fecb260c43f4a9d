import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Duck } from '#platform/duck.ts';
import type { Rule } from '#shared/rules.ts';
import { readRules } from './read-rules.ts';
import type { Relation } from './relation.ts';
import { compileRulesInBatches } from './rule-batches.ts';
import { countRules } from './rule-counts.ts';
import { act, calculate, rule, when } from './testing/case.ts';
import { evaluate, type Item } from './testing/evaluator.ts';
import { answerOf, itemsAfter, shown } from './testing/run-rules.ts';
import { writeSnapshot } from './testing/snapshot-file.ts';

let folder: string;
let duck: Duck;
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
  duck = await Duck.open({ folder, threads: 1 });
  connection = await duck.connect();
  relation = await writeSnapshot(connection, join(folder, 'items.parquet'), shoes, ['Titel', 'Preis']);
});

afterAll(async () => {
  connection.closeSync();
  duck.close();
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

test('RUL-15 many rankings behind each other run in batches and see each other', { timeout: 60_000 }, async () => {
  const list = Array.from({ length: 30 }, () =>
    rule([when('Preis', 'is_in_highest', '1')], [calculate('Preis', 'subtract', '1')]),
  );
  const { items } = await inBatches(list);
  expect(shown(items)).toEqual(shown(evaluate(shoes, ['Titel', 'Preis'], list).items));
});

test('RUL-15 fifty rules on one field are one statement', async () => {
  const list = Array.from({ length: 50 }, (_, at) =>
    rule([when('Titel', 'contains', 'schuh')], [act('Titel', 'append', `-${at}`)]),
  );
  const { tables, items } = await inBatches(list);
  expect(tables).toBe(0);
  expect(items[0]?.fields.get('Titel')).toMatch(/^Schuh rot-0-1.*-49$/);
});

test('RUL-15 500 rules of which most stand alone are one statement, counts too', { timeout: 60_000 }, async () => {
  const list = Array.from({ length: 500 }, (_, at) =>
    rule([when('Titel', 'contains', `${at}`)], [act(`Feld ${at % 40}`, 'set', `${at}`)]),
  );
  const { tables, items } = await inBatches(list);
  expect([tables, items.length]).toEqual([0, 3]);
  expect(await answerOf(connection, countRules(relation, readRules(list)))).toHaveLength(500);
});
