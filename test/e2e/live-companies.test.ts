import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LiveStatus } from '#live/live.ts';
import type { Database } from '#platform/db/database.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { openTestDatabase, testDatabaseUrl } from '../stages/kontor.ts';

const runs = 1000;

describe('what streams tell', () => {
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

  it('T13 a thousand runs of each of two companies are heard by their own company alone', async () => {
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

  it('LIV-02 who begins to listen while a look is under way is not told of an end that there was not', async () => {
    const status = new LiveStatus(database, makeLog('silent'));
    const looking = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    let holds = false;
    const system = database.system.bind(database);
    vi.spyOn(database, 'system').mockImplementation(async (work) => {
      const answer = await system(work);
      if (!holds) return answer;
      holds = false;
      looking.resolve();
      await looked.promise;
      return answer;
    });
    await database.company('vier', (trx) =>
      insertRows(trx, 'jobs', [
        { company: 'vier', id: 'v', kind: 'import', subject: 'master:v', state: 'running', payload: '{}' },
      ]).execute(),
    );
    const first = await status.listen({ company: 'drei', tell: () => undefined });
    holds = true;
    await looking.promise;
    const heard: string[] = [];
    const second = await status.listen({ company: 'vier', tell: (_subject, state) => void heard.push(state) });
    expect([...second.running]).toEqual(['master:v']);
    looked.resolve();
    await wait(2500);
    expect(heard).toEqual([]);
    first.stop();
    second.stop();
    vi.restoreAllMocks();
  });
});
