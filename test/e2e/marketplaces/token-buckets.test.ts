import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenBuckets } from '#platform/token-buckets.ts';
import type { Database } from '#platform/db/database.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const rate = { perSecond: 0.5, burst: 3 };
const at = (seconds: number) => new Date(Date.parse('2026-01-15T12:00:00Z') + seconds * 1000);

describe('rate limits for calls to a marketplace', () => {
  let folder: string;
  let databases: [Database, Database];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-buckets-'));
    const url = await testDatabaseUrl();
    const one = await openTestDatabase(folder, url);
    // Two processes have connections of their own; an embedded database has one process.
    databases = [one, url === undefined ? one : await openTestDatabase(folder, url)];
  });
  afterAll(async () => {
    for (const database of new Set(databases)) await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  /** Returns buckets of two processes, which only share the database. */
  const processes = () => [new TokenBuckets(databases[0]), new TokenBuckets(databases[1])] as const;

  it('REP-19 processes together make no more calls than allowed, and none after a throttling answer', async () => {
    const [one, other] = processes();
    expect(await one.take('a', rate, 10, at(0))).toBe(3);
    expect(await other.take('a', rate, 10, at(1))).toBe(0);
    expect(await other.take('a', rate, 10, at(2))).toBe(1);
    expect(await one.take('b', rate, 1, at(2))).toBe(1);
    expect(await one.take('a', rate, 10, at(600))).toBe(3);
    await other.empty('a', rate, 10, at(600));
    expect(await one.take('a', rate, 10, at(609))).toBe(0);
    expect(await one.take('a', rate, 10, at(610))).toBe(1);
  });

  it('REP-19 concurrent callers share the available calls, and a request for none takes none', async () => {
    const [one, other] = processes();
    const many = { perSecond: 1, burst: 10 };
    expect(await one.take('c', many, 0, at(0))).toBe(0);
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : other).take('c', many, 1, at(0))),
    );
    expect(taken.filter((calls) => calls === 1)).toHaveLength(10);
  });

  it('F16 REP-19 a clock set back grants no extra calls, and blocks no longer than the rate requires', async () => {
    const [one, other] = processes();
    expect(await one.take('d', rate, 10, at(3600))).toBe(3);
    expect(await other.take('d', rate, 10, at(0))).toBe(0);
    expect(await one.take('d', rate, 10, at(2))).toBe(1);
  });
});
