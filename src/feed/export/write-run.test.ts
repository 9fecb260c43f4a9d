import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, ownText, statement } from '#platform/duckdb/sql.ts';
import type { Problem } from '#feed/stages/validation/problem.ts';
import { writeItems } from './write-run.ts';

it('a run that fails while it looks for problems or leaves items out names every file that it wrote', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-run-'));
  const duckdb = await DuckDb.open({ folder });
  onTestFinished(() => {
    duckdb.close();
    rmSync(folder, { recursive: true });
  });
  const problem: Problem = {
    key: 'x',
    kind: 'missing',
    severity: 'error',
    field: 'titel',
    title: 'Titel',
    rowId: null,
    shows: [],
    detail: '',
    column: 0,
    bit: 0,
  };
  const made: string[] = [];
  const constructed = {
    statements: [],
    relation: { steps: [], from: '', columns: new Map<string, string>(), shuffled: false },
    columns: [],
    gone: [],
    masks: ['_problems0'],
    problems: [problem],
    unique: [{ text: duck`titel`, problem: { ...problem, key: 'y' } }],
  };
  // The fourth time that the run's own file is named is for the items that remain: they cannot be written there.
  let named = 0;
  const temporary = (ending: string) =>
    join(folder, ending === 'parquet' && ++named > 3 ? 'missing' : '', `run.${ending}.tmp`);
  const write = async (target: string) => {
    made.push(target);
    const rows = duck`SELECT * FROM (VALUES ('A1', 'doppelt', 1::UBIGINT), ('A2', 'doppelt', 0::UBIGINT)) AS t(_id, titel, _problems0)`;
    await duckdb.all(statement(duck`COPY (${rows}) TO ${ownText(target)} (FORMAT parquet)`));
    return 2;
  };
  const run = { constructed, temporary, made, signal: AbortSignal.any([]) };
  await expect(writeItems(duckdb, run, true, write)).rejects.toThrow('missing');
  const left = readdirSync(folder).filter((name) => name.startsWith('run.'));
  expect(left).toHaveLength(2);
  expect(made).toEqual(expect.arrayContaining(left.map((name) => join(folder, name))));
});
