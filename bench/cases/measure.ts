import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { importedFieldSchema } from '#shared/import/schema.ts';
import { fieldsOf, snapshotOf } from './prepare.ts';

export type Measured = { ms: number; cpu: number; rssMb: number };
/** Returns the milliseconds of the work alone. */
export type Side = (folder: string, items: number) => Promise<number>;
/** One figure: how Kontor does it, and its baseline in the same run. */
export type Case = {
  title: string;
  goal: number;
  /** Limit in milliseconds, in addition to the goal for the ratio. */
  mostMs?: number;
  baseline: string;
  ours: Side;
  bare: Side;
  /** Number of operations in one measurement; their number per second is printed too. */
  count?: number;
};

export const fields = (folder: string) =>
  z.array(importedFieldSchema).parse(JSON.parse(readFileSync(fieldsOf(folder), 'utf8')));
export const relationOf = (folder: string): Relation =>
  snapshotRelation({ path: snapshotOf(folder), fields: fields(folder) });
export const idOf = (folder: string, field: string) => fields(folder).find((one) => one.name === field)?.id ?? '';
export const snapshot = (folder: string, items: number): SnapshotRecord => ({
  company: 'bench',
  masterid: 'bench',
  number: 1,
  items,
  fields: fields(folder),
  key: 'Artikelnummer',
  runid: '',
  source: '',
  createdAt: new Date(0),
});

/** Opens DuckDB first, so that only the work is timed. */
export const timed =
  (work: (duckdb: DuckDb, folder: string, items: number) => Promise<unknown>): Side =>
  async (folder, items) => {
    const duckdb = await DuckDb.open({ folder });
    const begin = performance.now();
    await work(duckdb, folder, items);
    return performance.now() - begin;
  };
export const run = (duckdb: DuckDb, text: string) => duckdb.all({ sql: text, values: [] });
export const scratch = (folder: string, file: string) => {
  const path = join(folder, file);
  rmSync(path, { force: true });
  return path;
};
