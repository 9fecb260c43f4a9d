import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { noMetrics } from '#platform/telemetry/metrics.ts';
import { Dispatcher } from '#feed/schedule/dispatch.ts';
import { createMaster } from '#catalogue/masters.ts';
import { requestMaintenance } from '#feed/runs/maintenance-job.ts';
import { saveSource } from '#feed/runs/start-runs.ts';
import { saveSchedule } from '#feed/schedule/store.ts';
import { ScheduleSettings } from '#shared/schedule/schema.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

/** A Wednesday in summer: 08:00 in Berlin. */
const START = Date.parse('2027-06-09T06:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('several processes on one database', () => {
  it('start a due run exactly once', async () => {
    const database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-due-')), await testDatabaseUrl());
    const company = 'firma';
    const vault = new Vault('geheimnis-von-mindestens-32-zeichen');
    let time = START;
    const dispatcher = () =>
      new Dispatcher({
        metrics: noMetrics,
        database,
        vault,
        ids: randomIds,
        clock: { now: () => new Date(time) },
        log: makeLog('silent'),
        jobs: { nudge: () => undefined },
        onOverdue: async () => undefined,
      });
    const all = Array.from({ length: 5 }, dispatcher);
    await database.company(company, async (trx) => {
      await createMaster(trx, company, 'Master1', 'Katalog');
      await saveSource(trx, vault, { company, id: 'Master1' }, { url: 'http://127.0.0.1:9/a.csv', options: {} });
      const settings = ScheduleSettings.parse({ active: true, kind: 'interval', minutes: 5 });
      const place = { company, subject: 'schedule' as const, scope: 'master:Master1' };
      await saveSchedule(trx, place, settings, { author: 'x', expected: undefined });
    });
    const jobs = async () => {
      const { rows } = await database.system((trx) =>
        pg<{ n: number }>`select count(*)::int as n from jobs where kind = 'import'`.execute(trx),
      );
      return rows[0]?.n;
    };
    const lookAll = () => Promise.all(all.map((one) => one.look()));
    await lookAll();
    expect(await jobs()).toBe(0);
    for (let round = 1; round <= 4; round++) {
      time += 5 * MINUTE;
      await lookAll();
      await lookAll();
      expect(await jobs()).toBe(round);
      await database.company(company, (trx) => pg`update jobs set state = 'failed'`.execute(trx));
    }
    await database.close();
  });

  it('a schedule saved at the moment of its due time still starts then', async () => {
    const database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-saved-')), await testDatabaseUrl());
    const company = 'firma';
    const vault = new Vault('geheimnis-von-mindestens-32-zeichen');
    let time = START - MINUTE;
    const dispatcher = new Dispatcher({
      metrics: noMetrics,
      database,
      vault,
      ids: randomIds,
      clock: { now: () => new Date(time) },
      log: makeLog('silent'),
      jobs: { nudge: () => undefined },
      onOverdue: async () => undefined,
    });
    const save = (trx: Trx, more: object) => {
      const settings = ScheduleSettings.parse({ active: true, kind: 'times', times: ['08:00'], ...more });
      const place = { company, subject: 'schedule' as const, scope: 'master:Master1' };
      return saveSchedule(trx, place, settings, { author: 'x', expected: undefined });
    };
    const jobs = async () =>
      (await database.system((trx) => trx.selectFrom('jobs').select('kind').execute())).filter(
        ({ kind }) => kind === 'import',
      ).length;
    await database.company(company, async (trx) => {
      await createMaster(trx, company, 'Master1', 'Katalog');
      await saveSource(trx, vault, { company, id: 'Master1' }, { url: 'http://127.0.0.1:9/a.csv', options: {} });
      await save(trx, {});
    });
    await dispatcher.look();
    // It is past eight, but before the check a user saved how long failures may last.
    time = START + 3000;
    await database.company(company, (trx) => save(trx, { patience: 12 }));
    await dispatcher.look();
    await dispatcher.look();
    expect(await jobs()).toBe(1);
    await database.company(company, (trx) => pg`update jobs set state = 'failed'`.execute(trx));
    // Moved to another time, it only starts at that one.
    time = START + 24 * HOUR + 3000;
    await database.company(company, (trx) => save(trx, { times: ['09:00'] }));
    await dispatcher.look();
    expect(await jobs()).toBe(1);
    await database.close();
  });

  it("F16 a clock that was a year ahead for a moment skips no company's nightly maintenance", async () => {
    const database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-nights-')), await testDatabaseUrl());
    let time = START;
    const deps = { database, ids: randomIds, clock: { now: () => new Date(time) } };
    const company = await createCompany(database, randomIds, deps.clock, 'Firma');
    await database.company(company, (trx) => createMaster(trx, company, 'Master1', 'Katalog'));
    const nights = async (at: number) => {
      time = at;
      await requestMaintenance(deps, 'ever');
      const jobs = (trx: Trx) => trx.selectFrom('jobs').select('id').where('kind', '=', 'maintenance').execute();
      return (await database.system(jobs)).length;
    };
    expect(await nights(START)).toBe(0);
    expect(await nights(START + 24 * HOUR)).toBe(1);
    expect(await nights(START + 365 * 24 * HOUR)).toBe(2);
    // With the clock right again, that night is planned anew and takes place.
    expect(await nights(START + 25 * HOUR)).toBe(2);
    expect(await nights(START + 48 * HOUR)).toBe(3);
    await database.close();
  });
});
