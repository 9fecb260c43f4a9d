import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { UntilChanged } from '#platform/db/until-changed.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { WorkLoops } from '#platform/work-loops.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

let folder = '';
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-loops-'));
  database = await openTestDatabase(folder, await testDatabaseUrl());
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

function counted(work: () => number = () => 0) {
  const turns = { count: 0 };
  const loops = new WorkLoops({
    database,
    clock: systemClock,
    log: makeLog('silent'),
    failure: 'failed',
    settleMs: 20,
  });
  loops.start([
    () => {
      turns.count++;
      return Promise.resolve(work());
    },
  ]);
  return { turns, loops };
}

/** Makes a change in a company. */
const change = () =>
  database.company('c', (trx) =>
    trx
      .insertInto('order_hints')
      .values({ company: 'c', channel: 'x', order_id: randomIds.id(), since: new Date(), not_before: new Date() })
      .execute(),
  );

const read = () => database.company('c', (trx) => trx.selectFrom('jobs').selectAll().execute());

describe('the change counter of the database', () => {
  test('counts a change once, however many transactions only read next to it', async () => {
    const { count } = database.activity;
    await Promise.all([read(), change(), read(), read()]);
    expect(database.activity.count).toBe(count + 1);
  });

  test('makes a cached query read again, and a failed read is repeated', async () => {
    let reads = 0;
    const kept = new UntilChanged(async (trx) => {
      reads++;
      if (reads === 1) throw new Error('once');
      return (await trx.selectFrom('order_hints').select('order_id').execute()).length;
    });
    if (!database.embedded) database.watchOthers();
    await expect(kept.of(database)).rejects.toThrow('once');
    const found = await kept.of(database);
    expect(await kept.of(database)).toBe(found);
    if (database.embedded) expect(reads).toBe(2);
    await change();
    expect(await kept.of(database)).toBe(found + 1);
  });
});

describe('a transaction', () => {
  test('without statements leaves none open', async () => {
    await database.kysely.transaction().execute(() => Promise.resolve());
    await expect(database.kysely.transaction().execute(() => Promise.reject(new Error('nothing')))).rejects.toThrow();
    const { rows } = await pg<{ now: string }>`select now()::text as now`.execute(database.kysely);
    await wait(5);
    // Within a transaction the time would not advance.
    expect(rows).not.toEqual((await pg`select now()::text as now`.execute(database.kysely)).rows);
  });

  test('whose first statement fails is rolled back', async () => {
    const failing = database.kysely.transaction().execute((trx) => pg`select 1 / 0`.execute(trx));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    await change();
    expect(await read()).toEqual([]);
  });
});

describe('a background loop', () => {
  test('rests without changes, and runs at once after a change', async () => {
    const { turns, loops } = counted();
    await expect.poll(() => turns.count).toBe(1);
    await wait(500);
    expect(turns.count).toBe(1);
    await change();
    await expect.poll(() => turns.count, { timeout: 2000 }).toBe(2);
    await loops.close();
  });

  test('keeps resting while others only read, or change nothing', async () => {
    const { turns, loops } = counted();
    await expect.poll(() => turns.count).toBe(1);
    await database.company('c', (trx) => trx.selectFrom('jobs').selectAll().execute());
    await database.system((trx) => trx.updateTable('jobs').set({ cancel: true }).where('id', '=', 'none').execute());
    await wait(300);
    expect(turns.count).toBe(1);
    await loops.close();
  });

  test('continues while there is work, also after a failed iteration', async () => {
    let left = 5;
    const { turns, loops } = counted(() => {
      left--;
      if (left === 3) throw new Error('once');
      return Math.max(0, left);
    });
    await expect.poll(() => turns.count).toBeGreaterThanOrEqual(2);
    await change();
    await expect.poll(() => turns.count, { timeout: 2000 }).toBeGreaterThanOrEqual(5);
    await loops.close();
  });

  test('ends at once in the middle of its rest', async () => {
    const { turns, loops } = counted();
    await expect.poll(() => turns.count).toBe(1);
    const begin = performance.now();
    await loops.close();
    expect(performance.now() - begin).toBeLessThan(900);
  });
});
