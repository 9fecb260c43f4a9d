import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { openBreakers, trip } from '#repricer/control/breakers.ts';
import { enqueue, finishDue } from '#repricer/queue/queue.ts';
import { holdItems } from '#repricer/sales/item-alarms.ts';
import { loadSwitches, saveSwitches } from '#repricer/control/state.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';
import { fallenPrices, now } from '../../stages/repricer/fallen-prices.ts';

describe('breakers of several processes', () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-breakers-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const catalogue = (company: string, prices: Parameters<typeof fallenPrices>[2]) =>
    fallenPrices(database, company, prices);

  it.skipIf(process.env['KONTOR_TEST_DATABASE'] !== 'postgres')(
    'REP-19 tripping a breaker waits for no row lock of a sender, which would deadlock',
    async () => {
      const place = { company: 'f1', masterid: 'm' };
      await catalogue('f1', { sent: 3, to: 1200 });
      const alarm = { id: 'a', marketplace: 'M1', item: '2', price: 1200, details: '', trippedAt: now };
      const held = (trx: Trx) =>
        pg<{ id: string }>`select id from price_submissions where state = 'held' order by id`
          .execute(trx)
          .then(({ rows }) => rows.map(({ id }) => id));
      await database.company('f1', async (sender) => {
        await pg`select id from price_submissions where id in ('1', '2') for update`.execute(sender);
        await database.company('f1', async (other) => {
          await pg`set local lock_timeout = '5s'`.execute(other);
          expect(await holdItems(other, place, [alarm], now)).toHaveLength(1);
          expect(await trip(other, randomIds, place, [['value', 'x']], now)).toHaveLength(1);
          expect(await held(other)).toEqual(['3']);
        });
        expect(await openBreakers(sender, place)).toHaveLength(1);
      });
    },
  );

  it.skipIf(process.env['KONTOR_TEST_DATABASE'] !== 'postgres')(
    'REP-02 a concurrent change of another switch does not undo a stop',
    async () => {
      const place = { company: 'g1', masterid: 'm' };
      const other = await database.company('g1', async (first) => {
        await saveSwitches(first, place, { stopped: true }, 'x');
        const second = database.company('g1', (trx) => saveSwitches(trx, place, { dry_run: true }, 'y'));
        await wait(300);
        return { second };
      });
      await other.second;
      expect(await database.company('g1', (trx) => loadSwitches(trx, 'g1', 'm'))).toMatchObject({
        active: true,
        stopped: true,
        dry_run: true,
      });
    },
  );

  it.skipIf(process.env['KONTOR_TEST_DATABASE'] !== 'postgres')(
    'REP-02 REP-19 all writers lock the reprice queue in the same order, whatever the order of their offers',
    async () => {
      const place = { company: 'h1', masterid: 'm' };
      await catalogue('h1', { sent: 0, to: 1200 });
      const all = (trx: Trx) => enqueue(trx, place, { cause: 'release', now });
      await database.company('h1', all);
      // Read after all others from here on.
      await database.company('h1', (trx) => pg`update listings set stock = 6 where item = '1'`.execute(trx));
      const locked = (trx: Trx, item: string) =>
        pg`select from reprice_queue where item = ${item} for update nowait`.execute(trx);
      const due = [{ ...place, master: 'm', marketplace: 'M1', cause: '', fence: 1 }];
      const writers = [
        all,
        (trx: Trx) =>
          finishDue(
            trx,
            ['3', '1'].flatMap((item) => due.map((one) => ({ ...one, item }))),
            new Map(),
          ),
      ];
      for (const write of writers) {
        const waiting = await database.company('h1', async (trx) => {
          await locked(trx, '1');
          const other = database.company('h1', async (second) => {
            await pg`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
              second,
            );
            await write(second);
          });
          await wait(300);
          // It waits for the first row and has locked none of the others.
          await locked(trx, '3');
          return { other };
        });
        await waiting.other;
      }
    },
  );

  it.skipIf(process.env['KONTOR_TEST_DATABASE'] !== 'postgres')(
    'REP-19 of two deadlocked transactions the server aborts one, which is repeated',
    async () => {
      await catalogue('h2', { sent: 2, to: 1200 });
      let begun = 0;
      const lock = (trx: Trx, id: string) => pg`select from price_submissions where id = ${id} for update`.execute(trx);
      const one = (first: string, second: string) =>
        database.company('h2', async (trx) => {
          begun++;
          await lock(trx, first);
          await wait(200);
          await lock(trx, second);
          return first;
        });
      expect(await Promise.all([one('1', '2'), one('2', '1')])).toEqual(['1', '2']);
      expect(begun).toBe(3);
    },
  );
});
