import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from './duckdb.ts';

let folder: string;
let duckdb: DuckDb;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-duck-'));
  duckdb = await DuckDb.open({ folder });
});

afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

const endless = {
  sql: 'SELECT count(*) FROM range(1000000000000) a, range(1000000) b WHERE a.range * b.range = -1',
  values: [],
};
const number = (value: number) => ({ sql: 'SELECT $1::INT AS n', values: [value] });

test('a session runs statements in sequence, with the tables of earlier ones', async () => {
  const session = await duckdb.session();
  const made = session.all({ sql: 'CREATE TEMP TABLE kept AS SELECT range AS n FROM range(5)', values: [] });
  const query = session.all({ sql: 'SELECT count(*)::INT AS n FROM kept', values: [] });
  await made;
  expect(await query).toEqual([{ n: 5 }]);
  session.close();
  await expect(session.all(number(1))).rejects.toThrow('closed');
  expect(
    await duckdb.last([
      { sql: 'CREATE TEMP TABLE t AS SELECT 7 AS n', values: [] },
      { sql: 'SELECT n FROM t', values: [] },
    ]),
  ).toEqual([{ n: 7 }]);
});

test('an abort interrupts only its own statement', async () => {
  const session = await duckdb.session();
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = session.all(endless, running.signal);
  const second = session.all(endless, waiting.signal);
  const third = session.all(number(3));
  waiting.abort(new Error('auch weg'));
  setTimeout(() => running.abort(new Error('weg')), 100);
  await expect(first).rejects.toThrow('weg');
  await expect(second).rejects.toThrow('auch weg');
  expect(await third).toEqual([{ n: 3 }]);
  session.close();
  await expect(duckdb.all(number(1), AbortSignal.abort(new Error('schon weg')))).rejects.toThrow('schon weg');
});

test('a text is read as stored, also with a byte order mark, short or long', async () => {
  const texts = ['\ufeff', '\ufeffA-1', '\ufeffein längerer Text', 'A\ufeff'];
  expect(await duckdb.all({ sql: 'SELECT $1 AS a, $2 AS b, $3 AS c, $4 AS d, [$2] AS e', values: texts })).toEqual([
    { a: texts[0], b: texts[1], c: texts[2], d: texts[3], e: [texts[1]] },
  ]);
});

test('a rewritten file is read again, although metadata is cached', async () => {
  const path = join(folder, 'anew.parquet');
  const write = (rows: number) =>
    duckdb.all({
      sql: `COPY (SELECT range AS n${rows} FROM range(${rows})) TO '${path}' (FORMAT parquet)`,
      values: [],
    });
  const read = () => duckdb.all({ sql: `SELECT * FROM '${path}'`, values: [] });
  await write(2);
  expect(await read()).toEqual([{ n2: 0n }, { n2: 1n }]);
  expect(await read()).toHaveLength(2);
  await write(1);
  expect(await read()).toEqual([{ n1: 0n }]);
});

test('closing a session ends its running statement', async () => {
  const session = await duckdb.session();
  const running = session.all(endless);
  setTimeout(() => session.close(), 100);
  await expect(running).rejects.toThrow();
});

test('an idle instance is closed, but not under an open session, and the next query opens it again', async () => {
  const resting = await DuckDb.open({ folder, instance: 'resting', restMs: 50 });
  const tables = { sql: "SELECT count(*)::INT AS n FROM duckdb_tables() WHERE table_name = 'kept'", values: [] };
  const session = await resting.session();
  await session.all({ sql: 'CREATE TABLE kept AS SELECT 1 AS n', values: [] });
  await wait(200);
  expect(await resting.all(tables)).toEqual([{ n: 1 }]);
  await wait(200);
  expect(await session.all(tables)).toEqual([{ n: 1 }]);
  session.close();
  await wait(200);
  expect(await resting.all(tables)).toEqual([{ n: 0 }]);
  await expect(resting.all({ sql: 'SET threads = 1', values: [] })).rejects.toThrow('locked');
  resting.close();
});

test('data beyond the memory limit is written to disk, into a folder that is created when needed', async () => {
  const small = await DuckDb.open({ folder, instance: 'small', memoryLimit: '60MB', threads: 1 });
  const rows = 'SELECT i, md5(i::VARCHAR) AS a, md5((i * 7)::VARCHAR) AS b FROM range(700000) t(i)';
  await small.all({ sql: `COPY (${rows} ORDER BY a) TO '${folder}/large.parquet' (FORMAT parquet)`, values: [] });
  const count = { sql: `SELECT count(*)::INT AS n FROM '${folder}/large.parquet'`, values: [] };
  expect(await small.all(count)).toEqual([{ n: 700_000 }]);
  small.close();
});
