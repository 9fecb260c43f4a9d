import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import { loadDocument, listRevisions, loadContents, saveDocument } from '#platform/db/documents.ts';
import { prepareFiles, recoverFiles, temporaryName } from '#platform/jobs/job-files.ts';
import { cancelJob } from '#platform/jobs/cancel-job.ts';
import { addJob, defineJob, jobRunner } from '#platform/jobs/job-definition.ts';
import { orderOnce } from '#platform/jobs/order-once.ts';
import type { Job, JobContext, JobEnd } from '#platform/jobs/job.ts';
import { Jobs } from '#platform/jobs/jobs.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { z } from 'zod';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const company = 'firma';
const workJob = defineJob({ kind: 'work', payload: z.object({}), pool: 'export' });
type JobHandler = (job: Pick<Job, 'subject'>, context: JobContext) => Promise<JobEnd>;

describe('jobs and documents on the database', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-jobs-')), await testDatabaseUrl());
  });
  afterAll(() => database.close());

  const workers: Jobs[] = [];
  const worker = async (name: string, work: JobHandler) => {
    const jobs = new Jobs({
      database,
      log: makeLog('silent'),
      worker: name,
      runners: [jobRunner(workJob, work)],
      onEnd: async () => {},
      patienceMs: 300,
    });
    await jobs.start(false);
    workers.push(jobs);
    return jobs;
  };
  const stopAll = async () => {
    await Promise.all(workers.splice(0).map((jobs) => jobs.close()));
  };
  // So that a failed test leaves no worker and no job to the next one or to its own second try.
  afterEach(async () => {
    await stopAll();
    await database.company(company, (trx) => pg`delete from jobs`.execute(trx));
  });
  const add = (id: string, subject: string) =>
    database.company(company, (trx) => addJob(trx, workJob, { company, id, subject, payload: {} }));
  const state = async (id: string) => {
    const { rows } = await database.company(company, (trx) =>
      pg<{
        state: string;
        result: string;
        message: string;
      }>`select state, result, message from jobs where id = ${id}`.execute(trx),
    );
    return rows[0];
  };
  const until = async (id: string, wanted: string) => {
    for (let round = 0; (await state(id))?.state !== wanted; round++) {
      if (round > 300) throw new Error(`${id} is ${(await state(id))?.state}, not ${wanted}`);
      await wait(20);
    }
  };

  it('concurrent orders of the same job create one job; an order after its start creates another', async () => {
    const order = (index: number, subject: string) =>
      database.company(company, (trx) =>
        orderOnce(trx, workJob, { company, id: `${subject}${index}`, subject, payload: {}, isSame: () => true }),
      );
    const ordered = await Promise.all(Array.from({ length: 40 }, (_, index) => order(index, `ordered${index % 2}`)));
    expect(new Set(ordered).size).toBe(2);
    const { rows } = await database.company(company, (trx) =>
      pg<{ id: string }>`select id from jobs where subject like 'ordered%'`.execute(trx),
    );
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ordered));
    // A running job may have read before the last save: by default another one is created.
    await database.company(company, (trx) =>
      pg`update jobs set state = 'running' where subject like 'ordered%'`.execute(trx),
    );
    expect(ordered).not.toContain(await order(100, 'ordered0'));
    await database.company(company, (trx) => pg`delete from jobs where subject like 'ordered%'`.execute(trx));
  });

  it('one job at a time runs per subject, and different subjects run in parallel', async () => {
    const running = new Set<string>();
    let together = 0;
    const work: JobHandler = async (job) => {
      expect(running.has(job.subject)).toBe(false);
      running.add(job.subject);
      together = Math.max(together, running.size);
      // The first one waits for the other worker, however long that takes.
      await expect.poll(() => together).toBe(2);
      running.delete(job.subject);
      return { state: 'done' };
    };
    for (let index = 0; index < 6; index++) await add(`one${index}`, `subject${index % 2}`);
    await worker('a', work);
    await worker('b', work);
    for (let index = 0; index < 6; index++) await until(`one${index}`, 'done');
    expect(together).toBe(2);
    await stopAll();
  });

  it('a worker that slept through its lease changes nothing: the job and its effect belong to the next one (F15)', async () => {
    const effects: string[] = [];
    let wake: () => void = () => {};
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    // Either worker may take the job over: the sleeping one's process goes on checking for jobs.
    let attempts = 0;
    const work: JobHandler = async (_job, { signal }) => {
      const name = attempts++ === 0 ? 'slow' : 'fast';
      signal.addEventListener('abort', wake);
      if (name === 'slow') await asleep;
      return { state: 'done', result: { by: name }, effect: async () => void effects.push(name) };
    };
    await add('fenced', 'fenced');
    await worker('a', work);
    await until('fenced', 'running');
    await database.system((trx) =>
      pg`update jobs set lease_until = now() - interval '1 second' where id = 'fenced'`.execute(trx),
    );
    await worker('b', work);
    await until('fenced', 'done');
    wake();
    await stopAll();
    expect(effects).toEqual(['fast']);
    expect((await state('fenced'))?.result).toContain('fast');
  });

  it('F16 the clock of the database goes back by an hour: a dead worker keeps its job no longer than a lease', async () => {
    await add('leapt', 'leapt');
    // As if a worker had taken it before the clock jumped, and died.
    await database.system((trx) =>
      pg`update jobs set state = 'running', fence = 1, worker = 'dead', lease_until = now() + interval '1 hour' where id = 'leapt'`.execute(
        trx,
      ),
    );
    const jobs = await worker('g', async () => ({ state: 'done' }));
    const nudging = setInterval(() => jobs.nudge(), 100);
    await until('leapt', 'done');
    clearInterval(nudging);
    await stopAll();
  });

  it('F16 the database clock goes back by an hour: a retry due in a moment waits only that moment', async () => {
    await add('again', 'again');
    // As if its first attempt had ended before the clock jumped.
    await database.system((trx) =>
      pg`update jobs set taken_at = now() + interval '1 hour', not_before = now() + interval '1 hour 1 second',
        attempts = 1 where id = 'again'`.execute(trx),
    );
    await add('later', 'later');
    await database.system((trx) =>
      pg`update jobs set taken_at = now(), not_before = now() + interval '1 hour' where id = 'later'`.execute(trx),
    );
    const jobs = await worker('h', async () => ({ state: 'done' }));
    await until('again', 'done');
    expect((await state('later'))?.state).toBe('queued');
    await jobs.cancel(company, 'later');
    await stopAll();
  });

  it('a cancelled job ends as cancelled, whether it waits or runs', async () => {
    const jobs = await worker('c', async (_job, { signal }) => {
      await wait(10_000, undefined, { signal });
      return { state: 'done' };
    });
    await add('run1', 'cancel');
    await add('wait1', 'cancel');
    jobs.nudge();
    await until('run1', 'running');
    await jobs.cancel(company, 'wait1');
    await jobs.cancel(company, 'run1');
    await until('run1', 'cancelled');
    expect((await state('wait1'))?.state).toBe('cancelled');
    await stopAll();
  });

  it('a job cancelled by another process while its attempt fails is not retried', async () => {
    let called: () => void = () => {};
    const isCalledOff = new Promise<void>((resolve) => {
      called = resolve;
    });
    await worker('g', async () => {
      await isCalledOff;
      return { state: 'again', seconds: 900, message: 'Nächster Versuch in 15 Minuten.' };
    });
    await add('again1', 'again');
    await until('again1', 'running');
    await database.company(company, (trx) => cancelJob(trx, company, 'again1'));
    called();
    await until('again1', 'cancelled');
    await stopAll();
  });

  it('a stopping worker hands its job back, and the next start finishes it', async () => {
    let tries = 0;
    const work: JobHandler = async (_job, { signal }) => {
      tries++;
      if (tries === 1) await wait(10_000, undefined, { signal });
      return { state: 'done' };
    };
    await add('back', 'back');
    await worker('d', work);
    await until('back', 'running');
    await stopAll();
    expect((await state('back'))?.state).toBe('queued');
    await worker('e', work);
    await until('back', 'done');
    await stopAll();
  });

  it('a job whose files could not be settled after its commit ended as it was written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-jobs-'));
    const told = Promise.withResolvers<boolean>();
    await add('settled', 'settled');
    await worker('s', async () => {
      const file = { temporary: join(folder, 'a.tmp'), final: join(folder, 'a') };
      await writeFile(file.temporary, 'Inhalt');
      const effect = () => rm(folder, { recursive: true });
      return { state: 'done', files: [file], effect, after: async (ended) => told.resolve(ended) };
    });
    expect(await told.promise).toBe(true);
    expect((await state('settled'))?.state).toBe('done');
    await stopAll();
  });

  it('a job that crashed its worker three times fails with a German text', async () => {
    await add('doomed', 'doomed');
    await database.system((trx) => pg`update jobs set attempts = 3 where id = 'doomed'`.execute(trx));
    await worker('f', async () => ({ state: 'done' }));
    await until('doomed', 'failed');
    expect((await state('doomed'))?.message).toBe(
      'Der Lauf wurde 3-mal unerwartet unterbrochen und nicht weiter versucht. Der bisherige Stand gilt weiter.',
    );
    await stopAll();
  });

  it('after a power cut files of finished jobs are moved into place, those of other attempts are not (F1)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-jobs-'));
    const prepared = async (id: string, fence: number, set: string) => {
      const final = join(folder, `${id}.parquet`);
      const file = { temporary: temporaryName({ id, fence }, final), final };
      await writeFile(file.temporary, 'Inhalt');
      await add(id, id);
      await database.system((trx) => pg`update jobs set fence = 2, state = ${set} where id = ${id}`.execute(trx));
      await prepareFiles({ id, fence }, [file]);
    };
    await prepared('ended', 2, 'done');
    await prepared('held', 2, 'blocked');
    await prepared('overtaken', 1, 'done');
    await prepared('failed', 2, 'failed');
    expect(await recoverFiles(database, folder, new Date(), 60_000)).toBe(2);
    const names = (await readdir(folder)).filter((name) => !name.endsWith('.tmp'));
    expect(names.toSorted()).toEqual(['ended.parquet', 'held.parquet']);
  });

  it('documents keep every revision with its author; only one of two saves at the same moment goes through', async () => {
    const place = { company, subject: 'rules', scope: 'master:x' };
    const save = (body: string, expected?: number) =>
      database.company(company, (trx) => saveDocument(trx, place, { body, author: body, expected }));
    expect(await save('eins')).toBe(1);
    const results = await Promise.allSettled([save('zwei', 1), save('drei', 1)]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(save('vier', 1)).rejects.toThrow(/zwischenzeitlich/);
    const all = await database.company(company, (trx) => listRevisions(trx, place, { limit: 10 }));
    const contentOf = await database.company(company, (trx) => loadContents(trx, company, all));
    expect(all.map((one) => [one.revision, one.bytes, contentOf(one)?.before])).toEqual([
      [2, 8, 'eins'],
      [1, 4, undefined],
    ]);
    const first = await database.company(company, (trx) => loadDocument(trx, company, 'rules', 'master:x', 1));
    expect(first).toMatchObject({ body: 'eins', revision: 1, author: 'eins' });
  });
});
