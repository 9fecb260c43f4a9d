import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { endOfFault } from './job-fault.ts';

const job = (tries: number) => ({ result: JSON.stringify({ tries }) });

it('a job that failed for lack of memory is retried three times, then fails with advice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-memory-'));
  const duckdb = await DuckDb.open({ folder, memoryLimit: '20MB', threads: 1 });
  onTestFinished(async () => {
    duckdb.close();
    await rm(folder, { recursive: true });
  });
  // DuckDB cannot spill this to disk: the values of one group stay in memory.
  const large = { sql: 'SELECT len(list(md5(i::VARCHAR)))::INT AS n FROM range(2000000) t(i)', values: [] };
  const error: unknown = await duckdb.all(large).catch((reason: unknown) => reason);
  const ends = [0, 1, 2, 3].map((tries) => endOfFault(error, job(tries)));
  expect(ends.map((end) => [end.state, end.seconds])).toEqual([
    ['again', 60],
    ['again', 300],
    ['again', 900],
    ['failed', undefined],
  ]);
  expect(ends[0]?.message).toMatch(/Arbeitsspeicher des Servers reichte nicht/);
  expect(ends[3]?.message).toMatch(/4\. Versuch.*KONTOR_MEMORY/);
  expect(endOfFault(new TypeError('x is undefined'), job(0))).toMatchObject({ state: 'failed' });
});
