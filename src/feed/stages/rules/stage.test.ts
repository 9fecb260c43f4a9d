import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Live } from '#engine/duckdb/rule-batches.ts';
import { itemsQuery, snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { statement } from '#platform/duckdb/sql.ts';
import { Rules } from '#shared/rules/schema.ts';
import { rulesStage } from './stage.ts';

let folder: string;
let duckdb: DuckDb;
let items: Relation;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-stage-'));
  duckdb = await DuckDb.open({ folder });
  const path = join(folder, 'snapshot.parquet');
  await duckdb.all({
    sql: `COPY (SELECT * FROM (VALUES ('1', 'Schuh Größe 42', '10,00'), ('2', 'Hose', NULL)) t(_id, f0001, f0002)) TO '${path}' (FORMAT parquet)`,
    values: [],
  });
  items = snapshotRelation({
    path,
    fields: [
      { id: 'f0001', name: 'Titel' },
      { id: 'f0002', name: 'Preis' },
    ],
  });
});

afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

// As a browser sends them: without optional members.
const wire = (active: boolean) =>
  Rules.parse([
    {
      id: 'aaaaaaaaaa',
      name: 'leer raus',
      active,
      querys: [{ field: 'Preis', select: 'is_empty' }],
      actions: [{ field: '@ALL@', select: 'unset' }],
    },
    {
      id: 'bbbbbbbbbb',
      name: 'Größe',
      active: true,
      querys: [{ field: 'Titel', select: 'contains', value: 'GRÖßE' }],
      actions: [
        {
          field: 'Größe',
          select: 'textsplit',
          selecttyp: 'split',
          value: [
            { type: '_string', value: ' ' },
            { type: '_number', value: -1 },
          ],
        },
        { field: 'Größe', select: 'copy', value: [{ type: '_field', value: 'Titel' }] },
        {
          field: 'Größe',
          select: 'textsplit',
          value: [
            { type: '_string', value: ' ' },
            { type: '_number', value: -1 },
          ],
        },
      ],
    },
  ]);

const stage = (active: boolean, live: Live = 'all') =>
  rulesStage(items, wire(active), { live, table: (index) => `stage_${index}` });

test('RUL-15 GEN-03 the stage runs active rules as sent by the browser, and skips paused ones', async () => {
  const rows = async (active: boolean) =>
    await duckdb.all(statement(itemsQuery(stage(active).relation, ['Titel', 'Größe'])));
  expect(await rows(true)).toEqual([{ id: '1', c0: 'Schuh Größe 42', c1: '42' }]);
  expect(await rows(false)).toEqual([
    { id: '1', c0: 'Schuh Größe 42', c1: '42' },
    { id: '2', c0: 'Hose', c1: null },
  ]);
});

test('RUL-15 the stage computes only the fields that are wanted, here in one statement', () => {
  const { statements, relation } = stage(true, new Set(['Titel']));
  expect([statements, [...relation.columns.keys()]]).toEqual([[], ['Titel']]);
});
