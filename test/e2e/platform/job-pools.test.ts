import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import { addJob, defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { type Pool, pools } from '#platform/jobs/job-pools.ts';
import { Jobs } from '#platform/jobs/jobs.ts';
import { JobTaker } from '#platform/jobs/take-job.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const definitionIn = (pool: Pool) => defineJob({ kind: `of-${pool}`, payload: z.object({ number: z.number() }), pool });
const [imports, exports, prices, mail, nightly] = [
  definitionIn('import'),
  definitionIn('export'),
  definitionIn('prices'),
  definitionIn('mail'),
  definitionIn('maintenance'),
];

describe('slots of job pools', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-pools-')), await testDatabaseUrl());
  });
  afterAll(() => database.close());
  const workers: Jobs[] = [];
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((jobs) => jobs.close()));
    await database.system((trx) => pg`delete from jobs`.execute(trx));
  });

  const start = async (...runners: JobRunner[]) => {
    const options = { database, log: makeLog('silent'), onEnd: async () => {} };
    const jobs = new Jobs({ ...options, worker: `worker${workers.length}`, runners });
    workers.push(jobs);
    await jobs.start(false);
    return jobs;
  };
  const add = (company: string, definition: typeof imports, count: number) =>
    database.company(company, async (trx) => {
      for (let number = 0; number < count; number++) {
        const id = `${company}${definition.pool}${number}`;
        await addJob(trx, definition, { company, id, subject: id, payload: { number } });
      }
    });
  const count = async (company: string, state: string) => {
    const { rows } = await database.company(company, (trx) =>
      pg<{ n: number }>`select count(*)::int as n from jobs where state = ${state}`.execute(trx),
    );
    return rows[0]?.n;
  };
  const quick = (definition: typeof imports) => jobRunner(definition, async () => ({ state: 'done' }));
  const endless = (definition: typeof imports) =>
    jobRunner(definition, async (_job, { signal }) => {
      await wait(600_000, undefined, { signal });
      return { state: 'done' };
    });

  it('each of 230 companies gets its first job before any gets its second, and a dead pool blocks no other', async () => {
    const companies = Array.from({ length: 230 }, (_, n) => `c${n}`);
    for (const company of companies) await add(company, prices, 2);
    await add('c0', imports, 1);
    const taker = new JobTaker();
    const known = new Map<string, Pool>([
      [prices.kind, 'prices'],
      [imports.kind, 'import'],
    ]);
    const take = (free: Pool[], worker = 'eins') =>
      database.system((trx) => taker.take(trx, { worker, leaseSeconds: 60, pools: known, free: new Set(free) }));
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < companies.length; n++) taken.push((await take(['prices']))?.company);
    expect(new Set(taken)).toEqual(new Set(companies));
    // A pool's poll says nothing about other pools, and a job with an expired lease precedes the turns.
    expect(await take(['import'])).toMatchObject({ company: 'c0', kind: imports.kind });
    await database.system((trx) =>
      pg`update jobs set lease_until = now() - interval '1 second' where company = 'c7' and state = 'running'`.execute(
        trx,
      ),
    );
    expect(await take(['prices'])).toMatchObject({ company: 'c7', attempts: 2 });
    expect(await take([])).toBeUndefined();
  });

  it('two workers give every company its first job before any its second', async () => {
    const companies = Array.from({ length: 230 }, (_, n) => `c${n}`);
    for (const company of companies) await add(company, prices, 2);
    const known = new Map<string, Pool>([[prices.kind, 'prices']]);
    const takers = ['eins', 'zwei'].map((worker) => {
      const taker = new JobTaker();
      return () =>
        database.system((trx) =>
          taker.take(trx, { worker, leaseSeconds: 60, pools: known, free: new Set<Pool>(['prices']) }),
        );
    });
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < companies.length; n++) taken.push((await takers[n % 2]?.())?.company);
    expect(new Set(taken)).toEqual(new Set(companies));
  });

  it('endless imports and exports of one company do not delay mail and prices of another', async () => {
    await add('viel', imports, 5);
    await add('viel', exports, 5);
    const jobs = await start(endless(imports), endless(exports), quick(prices), quick(mail));
    await expect.poll(() => count('viel', 'running')).toBe(pools.import + pools.export);
    await add('klein', prices, 20);
    await add('klein', mail, 20);
    const begun = performance.now();
    jobs.nudge();
    await expect.poll(() => count('klein', 'done')).toBe(40);
    // Generous for a loaded machine; a job that waited for an import would wait ten minutes.
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(await count('viel', 'running')).toBe(pools.import + pools.export);
  });

  it.each([
    ['one slot', nightly],
    ['several slots', mail],
  ])(
    'a company with a thousand waiting jobs and one that comes later share a pool fairly (%s)',
    async (_slots, definition) => {
      const order: string[] = [];
      let most = 0;
      let together = 0;
      // The first jobs stay until all slots are taken: on a slow machine that takes longer than any job.
      const full = Promise.withResolvers<void>();
      await add('viel', definition, 1000);
      await add('klein', definition, 4);
      await start(
        jobRunner(definition, async ({ company }) => {
          order.push(company);
          together++;
          most = Math.max(most, together);
          if (together === pools[definition.pool]) full.resolve();
          await Promise.race([full.promise, wait(10_000)]);
          await wait(50);
          together--;
          return { state: 'done' };
        }),
      );
      await expect.poll(() => count('klein', 'done')).toBe(4);
      expect(order.lastIndexOf('klein')).toBeLessThan(12);
      expect(most).toBe(pools[definition.pool]);
    },
  );

  it('two workers share the jobs, and each job runs once', async () => {
    const done: string[] = [];
    const runner = jobRunner(mail, async ({ id }) => {
      done.push(id);
      await wait(5);
      return { state: 'done' };
    });
    await add('viel', mail, 60);
    await add('klein', mail, 60);
    await start(runner);
    await start(runner);
    await expect.poll(async () => [await count('viel', 'done'), await count('klein', 'done')]).toEqual([60, 60]);
    expect(new Set(done).size).toBe(120);
    expect(done).toHaveLength(120);
  });

  it('a job of an unknown kind or with an unreadable payload fails with a German text and blocks no other', async () => {
    await add('klein', mail, 3);
    await database.system(async (trx) => {
      await pg`update jobs set kind = 'vergessen' where id = 'kleinmail0'`.execute(trx);
      await pg`update jobs set payload = '{"number":"vier"}' where id = 'kleinmail1'`.execute(trx);
    });
    await start(quick(mail));
    await expect.poll(() => count('klein', 'failed')).toBe(2);
    await expect.poll(() => count('klein', 'done')).toBe(1);
    const { rows } = await database.company('klein', (trx) =>
      pg<{ message: string }>`select message from jobs where state = 'failed' order by id`.execute(trx),
    );
    expect(rows.map(({ message }) => message)).toEqual([
      expect.stringContaining('kennt das Programm nicht'),
      expect.stringContaining('ist nicht lesbar'),
    ]);
  });
});
