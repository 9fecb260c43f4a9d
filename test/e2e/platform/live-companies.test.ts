import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiveStatus } from '#live/live.ts';
import type { Database } from '#platform/db/database.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const runs = 1000;

describe('events of live streams', () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-live-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('T13 a thousand runs of each of two companies are reported only to their own company', async () => {
    const status = new LiveStatus(database, makeLog('silent'));
    const heard: Record<string, string[]> = { eins: [], zwei: [] };
    const listeners = await Promise.all(
      Object.entries(heard).map(([company, subjects]) =>
        status.listen({ company, tell: (subject) => void subjects.push(subject) }),
      ),
    );
    await Promise.all(
      Object.keys(heard).map((company) =>
        database.company(company, (trx) =>
          insertRows(
            trx,
            'jobs',
            Array.from({ length: runs }, (_, n) => ({
              company,
              id: `${company}${n}`,
              kind: 'import',
              subject: `master:${company}${n}`,
              state: 'queued' as const,
              payload: '{}',
            })),
          ).execute(),
        ),
      ),
    );
    await expect.poll(() => Object.values(heard).map(({ length }) => length)).toEqual([runs, runs]);
    await wait(100);
    for (const [company, subjects] of Object.entries(heard))
      expect(subjects.filter((subject) => !subject.startsWith(`master:${company}`))).toEqual([]);
    for (const { stop } of listeners) stop();
  });

  it('LIV-01 a thousand listeners of two companies cost one query a second', async () => {
    let questions = 0;
    const counted: Pick<Database, 'system'> = {
      system: (work) => {
        questions += 1;
        return database.system(work);
      },
    };
    const status = new LiveStatus(counted, makeLog('silent'));
    const listeners = [];
    for (let n = 0; n < 1000; n++)
      listeners.push(await status.listen({ company: n % 2 === 0 ? 'vier' : 'fünf', tell: () => undefined }));
    questions = 0;
    await expect.poll(() => questions).toBeGreaterThan(0);
    questions = 0;
    await wait(3500);
    // A slow machine makes fewer.
    expect([questions > 0, questions <= 4]).toEqual([true, true]);
    for (const { stop } of listeners) stop();
    questions = 0;
    await wait(1500);
    expect(questions).toBe(0);
  });

  it('LIV-01 a new listener gets no end event for a job that still runs while an earlier query is answered', async () => {
    const job = { company: 'drei', id: 'drei1', kind: 'import', subject: 'master:drei1', payload: '{}' };
    await database.company('drei', (trx) => insertRows(trx, 'jobs', [{ ...job, state: 'running' as const }]).execute());
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let questions = 0;
    const slow: Pick<Database, 'system'> = {
      system: async (work) => {
        questions += 1;
        if (questions !== 2) return database.system(work);
        const answer = await database.system(work);
        asked.resolve();
        await held.promise;
        return answer;
      },
    };
    const status = new LiveStatus(slow, makeLog('silent'));
    const first = await status.listen({ company: 'eins', tell: () => undefined });
    await asked.promise;
    const heard: string[] = [];
    const second = await status.listen({
      company: 'drei',
      tell: (subject, state) => void heard.push(`${subject} ${state}`),
    });
    expect([...second.running]).toEqual(['master:drei1']);
    held.resolve();
    await expect.poll(() => questions).toBeGreaterThan(4);
    expect(heard).toEqual([]);
    for (const { stop } of [first, second]) stop();
  });
});
