import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { checkBreakers, openBreakers, releaseBreakers, stopEverybody } from '#repricer/control/breakers.ts';
import { saveSafety } from '#repricer/control/safety.ts';
import { holdSwitches, releasesPrices, loadSwitches, saveSwitches } from '#repricer/control/state.ts';
import { PriceSafety } from '#shared/repricer/safety.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';
import { before, fallenPrices, now } from '../../stages/repricer/fallen-prices.ts';

describe('breakers', () => {
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
  const check = (company: string) =>
    database.company(company, async (trx) => {
      const { made } = await checkBreakers(trx, randomIds, { company, masterid: 'm' }, now);
      const { rows } = await pg<{ held: string }>`select distinct held from price_submissions`.execute(trx);
      return [made.map(({ kind }) => kind), rows.map(({ held }) => held)];
    });

  it("T26 a stop set during another user's save of the switches is not undone by that save", async () => {
    const ref = { company: 'r', masterid: 'm' };
    await database.company('r', (trx) => saveSwitches(trx, ref, { stopped: false }, 'Anna'));
    const order: string[] = [];
    const stop = async () => {
      await database.company('r', (trx) => saveSwitches(trx, ref, { stopped: true }, 'Berta'));
      order.push('stopped');
    };
    let pressed: Promise<void> | undefined;
    await database.company('r', async (trx) => {
      // Nothing is released, so no proof of identity is needed.
      expect(releasesPrices(await holdSwitches(trx, ref, 'Anna'), { stopped: false })).toBe(false);
      pressed = stop();
      await wait(300);
      await saveSwitches(trx, ref, { stopped: false }, 'Anna');
      order.push('saved');
    });
    await pressed;
    expect(order).toEqual(['saved', 'stopped']);
    expect(await database.company('r', (trx) => loadSwitches(trx, 'r', 'm'))).toMatchObject({ stopped: true });
  });

  it('REP-19 trips when more than a fifth of the items change by more than a tenth; older changes do not count', async () => {
    await catalogue('a1', { sent: 40, to: 1200 });
    expect(await check('a1')).toEqual([[], ['']]);
    await catalogue('a2', { sent: 41, to: 1200 });
    expect(await check('a2')).toEqual([['catalogue'], ['BREAKER']]);
    await catalogue('a3', { sent: 100, to: 1200, ago: 61 });
    expect(await check('a3')).toEqual([[], ['']]);
  });

  it('REP-19 a catalogue can have its own thresholds', async () => {
    const set = (company: string, figures: object) =>
      database.company(company, (trx) =>
        saveSafety(
          trx,
          { company, masterid: 'm' },
          { figures: PriceSafety.parse(figures), confirmed: true, reason: 'x' },
          { author: 'x', expected: undefined },
        ),
      );
    await set('e1', { changedShare: 40 });
    await catalogue('e1', { sent: 80, to: 1200 });
    expect(await check('e1')).toEqual([[], ['']]);
    await set('e2', { changedBy: 20, minimumShare: 1 });
    await catalogue('e2', { sent: 41, to: 1200, reached: true });
    expect(await check('e2')).toEqual([['minimum'], ['BREAKER']]);
    await set('e3', { valueLoss: 1 });
    await catalogue('e3', { sent: 25, to: 900, stock: 5 });
    expect(await check('e3')).toEqual([['value'], ['BREAKER']]);
  });

  it('REP-19 trips when more than a tenth of the items reach their minimum within a quarter of an hour', async () => {
    await catalogue('b1', { sent: 20, to: 950, reached: true });
    expect(await check('b1')).toEqual([[], ['']]);
    await catalogue('b2', { sent: 21, to: 950, reached: true });
    expect(await check('b2')).toEqual([['minimum'], ['BREAKER']]);
    await catalogue('b3', { sent: 21, to: 950, reached: true, ago: 16 });
    expect(await check('b3')).toEqual([[], ['']]);
  });

  it('REP-19 trips when a twentieth of the stock value is lost in an hour, however few the items', async () => {
    // 200 items x 5 x 10 € are worth 10,000 €: 25 items that lose 4 € on each of 5 lose 500 €, on each of 6 lose 600 €.
    await catalogue('c1', { sent: 25, to: 600, stock: 5 });
    expect(await check('c1')).toEqual([[], ['']]);
    await catalogue('c2', { sent: 25, to: 600, stock: 6 });
    expect(await check('c2')).toEqual([['value'], ['BREAKER']]);
    // A price that fell and rose again is no loss, and gains of others do not compensate a loss.
    const more = (company: string, items: string, from: number, to: number) =>
      database.company(company, (trx) =>
        pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version, currency,
            from_cents, price_cents, min_cents, max_cents, state, reached_min, stock, created_at)
          select ${company}, ${`${to}-`} || n, 'm', 'M1', n::text, 'k', n::text, n, 'r', '1:1', 'EUR', ${from}::int, ${to}::int, 1, 9999,
            'live', false, 6, ${before(4)}::timestamptz from generate_series(${pg.raw(items)}) n`.execute(trx),
      );
    await catalogue('c4', { sent: 25, to: 600, stock: 6 });
    await more('c4', '1, 25', 600, 1000);
    expect(await check('c4')).toEqual([[], ['']]);
    await catalogue('c5', { sent: 25, to: 600, stock: 6 });
    await more('c5', '26, 30', 1000, 9000);
    expect((await check('c5'))[0]).toEqual(['value']);
    await catalogue('c3', { sent: 3, to: 1, stock: 500 });
    expect(await check('c3')).toEqual([['value'], ['BREAKER']]);
  });

  it('REP-19 a released breaker checks only later changes; three companies within ten minutes stop all companies', async () => {
    const place = { company: 'c2', masterid: 'm' };
    const release = (ids?: string[]) =>
      database.company('c2', (trx) => releaseBreakers(trx, place, { by: 'x', reason: 'y', now }, ids));
    expect([await release(['one that tripped since']), await release()]).toEqual([0, 1]);
    expect(await check('c2')).toEqual([[], ['BREAKER']]);
    expect(await database.company('c2', (trx) => openBreakers(trx, place))).toEqual([]);
    const all = (at: Date) => database.system((trx) => stopEverybody(trx, at));
    expect(await all(now)).toBe(true);
    expect(await all(new Date(now.getTime() + 11 * 60_000))).toBe(false);
    await database.system((trx) => pg`delete from price_breakers where company not in ('c2', 'c3')`.execute(trx));
    const selling = (companies: number) =>
      database.system((trx) =>
        pg`insert into marketplace_accounts (company, id, master, connector, marketplace, seller_id, name)
          select 'sells' || n, 'k', 'm', 'x', 'M1', 'S', '' from generate_series(1, ${companies}::int) n on conflict do nothing`.execute(
          trx,
        ),
      );
    // Two companies are more than a twentieth of 39, not of 40; a single one never stops the others.
    await selling(39);
    expect(await all(now)).toBe(true);
    await selling(40);
    expect(await all(now)).toBe(false);
    await database.system((trx) => pg`delete from marketplace_accounts`.execute(trx));
    await database.system((trx) => pg`delete from price_breakers where company = 'c2'`.execute(trx));
    expect(await all(now)).toBe(false);
  });

  it('REP-19 prices released by a user are sent when decided again; other prices trip the breaker anew', async () => {
    const place = { company: 'd1', masterid: 'm' };
    await catalogue('d1', { sent: 60, to: 1200 });
    expect(await check('d1')).toEqual([['catalogue'], ['BREAKER']]);
    await database.company('d1', (trx) => releaseBreakers(trx, place, { by: 'x', reason: 'y', now }));
    const later = new Date(now.getTime() + 60_000);
    const decidedAgain = (first: number, last: number, to: number, hours = 0) =>
      database.company('d1', async (trx) => {
        await pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version, currency,
            from_cents, price_cents, min_cents, max_cents, state, reached_min, stock, created_at)
          select 'd1', ${`${to}-${hours}-`} || n, 'm', 'M1', n::text, 'k', n::text, n, 'r', '1:1', 'EUR', 1000, ${to}::int, 1, 9999, 'new', false,
            5, ${before(-0.5 - hours * 60)}::timestamptz from generate_series(${first}::int, ${last}::int) n`.execute(
          trx,
        );
        return (await checkBreakers(trx, randomIds, place, new Date(later.getTime() + hours * 3_600_000))).made.map(
          ({ kind }) => kind,
        );
      });
    expect(await decidedAgain(1, 60, 1200)).toEqual([]);
    expect(await decidedAgain(61, 101, 1200)).toEqual(['catalogue']);
    // The same prices again, a day after a user released them.
    await database.company('d1', (trx) =>
      pg`update price_breakers set released_at = ${later.toISOString()}::timestamptz where released_at is null`.execute(
        trx,
      ),
    );
    expect(await decidedAgain(1, 60, 1200, 25)).toEqual(['catalogue']);
  });

  // The embedded database has one connection.
  it('REP-19 the database itself refuses prices without or outside of limits, and changes of decisions', async () => {
    const inside = (text: string) => database.company('c1', (trx) => pg.raw(text).execute(trx));
    const insert = (price: number, min: number, max: number) =>
      inside(`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version, currency,
        price_cents, min_cents, max_cents, state, reached_min, created_at)
        values ('c1', 'x', 'm', 'M1', 'X', 'k', 'X', 1, '', '', 'EUR', ${price}, ${min}, ${max}, 'held', false, now())`);
    await expect(insert(999, 1000, 2000)).rejects.toThrow(/check/);
    await expect(insert(2001, 1000, 2000)).rejects.toThrow(/check/);
    await expect(insert(1, 0, 2000)).rejects.toThrow(/check/);
    await expect(inside('update price_submissions set min_cents = null')).rejects.toThrow(/null/);
    await inside(`insert into price_decisions (company, master, marketplace, item, product_id, decided_at, cause, rule_revision, snapshot,
      limits_version, reason, body, verdict) values ('c1', 'm', 'M1', 'X', 'X', now(), '', 1, 1, '', 'NO_COMPETITION', '', 'none')`);
    await expect(inside('update price_decisions set price_cents = 1')).rejects.toThrow(/kept/);
    await expect(inside('delete from price_decisions')).rejects.toThrow(/kept/);
  });
});
