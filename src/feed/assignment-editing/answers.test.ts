import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';
import type { MasterPlan } from '#feed/plan/export-plan.ts';
import { DuckInstance } from '#platform/duckdb/instance.ts';
import { KontorError } from '#platform/errors.ts';
import { MappingRow } from '#shared/assignments/schema.ts';
import { answers } from './answers.ts';

const names = ['kurz', 'lang'];
let folder: string;
let calculator: DuckInstance;
let plan: MasterPlan;

/** A value exactly as long as a row allows, two longer ones (one in two letter cases), and one longer only in UTF-16 units. */
const values = ['rot', 'ROT', 'x'.repeat(10_000), 'X'.repeat(10_001), 'x'.repeat(10_001), '😀'.repeat(9000)];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-answers-'));
  calculator = new DuckInstance({ folder, threads: 1 });
  const connection = await rawConnection(1);
  const path = join(folder, 'items.parquet');
  const items = values.map((value, index) => ({
    id: `A-${index}`,
    fields: new Map([
      ['kurz', value],
      ['lang', index < 2 ? '' : 'y'.repeat(20_000 + index)],
    ]),
  }));
  await writeSnapshot(connection, path, items, names);
  connection.closeSync();
  const fields = names.map((name, index) => {
    const id = `f000${index + 1}`;
    return { id, name, header: name, guess: 'text' as const, filled: 6, example: '' };
  });
  const snapshot = { company: 'c', masterid: 'm', number: 1, items: values.length, fields, key: null };
  const read = { ...snapshot, runid: '', source: '', createdAt: new Date(0) };
  plan = { snapshot: read, path, masterRules: [], mappings: [] };
});

afterAll(async () => {
  calculator.close();
  await rm(folder, { recursive: true });
});

function fetch(body: object) {
  const question = { places: { master: plan }, body: Buffer.from(JSON.stringify(body)), firstId: 1 };
  return answers.missingRows(calculator, question, AbortSignal.timeout(60_000));
}

test('MAP-03, CAT-08: values too long for a row are left out and counted, so that the table can be saved', async () => {
  const rows = await fetch({ field: 'kurz' });
  expect(rows.map(({ value, items, tooLong }) => [value.length, items, tooLong])).toEqual([
    [3, 2, 2],
    [10_000, 1, 2],
  ]);
  expect(MappingRow.array().safeParse(rows).success).toBe(true);
  expect((await fetch({ field: 'kurz', limit: 1 })).map(({ value }) => value.length)).toEqual([3]);
});

test('MAP-03: if all values are too long for a row, the error says how many there are', async () => {
  const preData = [{ field: 'lang', value: '' }];
  const refusal: unknown = await fetch({ field: 'lang', preData }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(KontorError);
  expect(refusal).toMatchObject({ status: 422, message: expect.stringContaining('4 sind länger als 10.000 Zeichen') });
});
