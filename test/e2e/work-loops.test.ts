import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { WorkLoops } from '#platform/work-loops.ts';
import { openTestDatabase, testDatabaseUrl } from '../stages/kontor.ts';

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
  const loops = new WorkLoops({ database, clock: systemClock, log: makeLog('silent'), failure: 'failed', busyMs: 20 });
  loops.start([
    () => {
      turns.count++;
      return Promise.resolve(work());
    },
  ]);
  return { turns, loops };
}

/** Something that a company changes. */
const change = () =>
  database.company('c', (trx) =>
    trx
      .insertInto('order_hints')
      .values({ company: 'c', channel: 'x', order_id: randomIds.id(), since: new Date(), not_before: new Date() })
      .execute(),
  );

describe('work that goes on by itself', () => {
  test('rests while nobody works, and looks at once when somebody did', async () => {
    const { turns, loops } = counted();
    await expect.poll(() => turns.count).toBe(1);
    await wait(500);
    expect(turns.count).toBe(1);
    await change();
    await expect.poll(() => turns.count, { timeout: 2000 }).toBe(2);
    await loops.close();
  });

  test('rests on while others only read, or change nothing', async () => {
    const { turns, loops } = counted();
    await expect.poll(() => turns.count).toBe(1);
    await database.company('c', (trx) => trx.selectFrom('jobs').selectAll().execute());
    await database.system((trx) => trx.updateTable('jobs').set({ cancel: true }).where('id', '=', 'none').execute());
    await wait(300);
    expect(turns.count).toBe(1);
    await loops.close();
  });

  test('goes on while there is something to do, also after a turn that failed', async () => {
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
