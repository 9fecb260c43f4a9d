import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { DatabaseCounts } from '#platform/http/limits/shared-counts.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { drainProcess, reportAlive } from '#platform/processes/processes.ts';
import { WorkLoops } from '#platform/work-loops.ts';
import { createDatabase, postgresPrograms, startPostgres, type TestPostgres } from '../../servers/postgres.ts';
import { openTestDatabase } from '../../stages/kontor.ts';

const programs = postgresPrograms();

/** Code of a process that inserts a row, as another process would, and exits. */
const otherProcess = `
  import pg from 'pg';
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query('begin');
  await client.query("select set_config('kontor.company', 'c', true)");
  await client.query("insert into order_hints (company, channel, order_id, since, not_before) values ('c', 'x', 'O-1', now(), now())");
  await client.query('commit');
  await client.end();`;

describe.skipIf(programs === undefined)('processes that share a database', () => {
  let postgres: TestPostgres;
  let database: Database;
  let url = '';
  beforeAll(async () => {
    // A server of its own, without autovacuum: any write on the same server is noticed.
    postgres = await startPostgres(programs ?? '', { settings: ['autovacuum=off'] });
    url = await createDatabase(postgres.url, 'shared');
    database = await openTestDatabase('', url);
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  it('a write by another process wakes the loops of this one; without writes they rest', async () => {
    let turns = 0;
    const loops = new WorkLoops({
      database,
      clock: systemClock,
      log: makeLog('silent'),
      failure: 'failed',
      settleMs: 20,
    });
    database.watchOthers();
    // The first poll has no earlier state to compare with, so it counts as a change.
    await expect.poll(() => database.activity.count).toBeGreaterThan(0);
    loops.start([() => Promise.resolve(0 * ++turns)]);
    await expect.poll(() => turns).toBe(1);
    const { count } = database.activity;
    await wait(2500);
    expect([database.activity.count, turns]).toEqual([count, 1]);
    const child = spawn(process.execPath, ['--input-type=module', '-e', otherProcess], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: 'inherit',
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    // This process changes nothing, so only the other one's write can count.
    await expect.poll(() => database.activity.count).toBeGreaterThan(count);
    await expect.poll(() => turns, { timeout: 1000 }).toBeGreaterThan(1);
    await loops.close();
  });

  it('reports that processes are alive wake no loop of any of them, and draining one does', async () => {
    const other = await openTestDatabase('', url);
    const report = (from: Database, name: string) =>
      from.systemUnnoticed((trx) => reportAlive(trx, { name, role: 'worker', program: 'test' }));
    database.watchOthers();
    await expect.poll(() => database.activity.count).toBeGreaterThan(0);
    await wait(1500);
    const { count } = database.activity;
    for (const name of ['one', 'two', 'one']) {
      await report(database, 'own');
      await report(other, name);
      await wait(1100);
    }
    expect(database.activity.count).toBe(count);
    await other.system((trx) => drainProcess(trx, 'one', 'Kanari'));
    await expect.poll(() => database.activity.count, { timeout: 5000 }).toBe(count + 1);
    await other.close();
  });

  it('a limit counted by another process reaches a resting one', async () => {
    database.watchOthers();
    const counts = new DatabaseCounts({ database, log: makeLog('silent'), process: 'own' });
    const told = new DatabaseCounts({ database, log: makeLog('silent'), process: 'other' });
    counts.start();
    // Long enough for it to come to rest.
    await wait(2500);
    told.tell('sign-in', 7, 60_000);
    told.start();
    await expect.poll(() => counts.others('sign-in'), { timeout: 6000 }).toBe(7);
    await told.close();
    await counts.close();
  });
});
