import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openEmbedded } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { secondsFromNow } from '#platform/db/pg.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { OwnProcess } from './own-process.ts';

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-processes-'));
  database = await openEmbedded(join(folder, 'database'));
  await migrate(database, new URL('../../../migrations', import.meta.url).pathname);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const accounts = Array.from({ length: 2000 }, (_, n) => `firma/konto${n}`);
/** Starts a process that finds these others in the table, each last seen `silent` seconds ago. */
async function knowing(own: OwnProcess, others: readonly string[], silent = 0): Promise<OwnProcess> {
  await own.start();
  const row = { role: 'worker' as const, program: 'test', started_at: secondsFromNow(-900) };
  await database.system(async (trx) => {
    await trx.deleteFrom('processes').where('name', '!=', own.name).execute();
    for (const name of others)
      await trx
        .insertInto('processes')
        .values({ ...row, name, seen_at: secondsFromNow(-silent) })
        .execute();
  });
  await own.look();
  return own;
}
const own = () => new OwnProcess({ database, log: makeLog('silent'), role: 'worker', program: 'test' });
const share = (one: OwnProcess) => accounts.filter((account) => one.takes(account)).length / accounts.length;

it('each of up to three workers handles all accounts', async () => {
  expect(share(await knowing(own(), ['a/1', 'b/1']))).toBe(1);
});

it('each of many workers handles a share, three per account, and silent workers do not count', async () => {
  const others = Array.from({ length: 19 }, (_, n) => `rechner${n}/1`);
  const one = await knowing(own(), others);
  expect(one.workers).toBe(20);
  expect(share(one)).toBeGreaterThan(0.11);
  expect(share(one)).toBeLessThan(0.19);
  const before = accounts.filter((account) => one.takes(account));
  // One of the others ends: this process keeps everything it looked after.
  await knowing(one, others.slice(1));
  expect(before.filter((account) => !one.takes(account))).toEqual([]);
  expect(share(await knowing(one, others, 200))).toBe(1);
});
