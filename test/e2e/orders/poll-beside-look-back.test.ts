import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OrderPort } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { makeOrderWorld, type OrderWorld } from '../../stages/orders/order-world.ts';

const MINUTE = 60;
/** Amazon's interval between two pages, in seconds. */
const PAGE_SECONDS = 180;
const OLD = 10;

describe('the quick order poll next to the nightly look-back', () => {
  let world: OrderWorld;
  let old: string[];
  let hidden: Set<string>;
  let failure: ((since: Date, cursor: string | undefined) => MarketplaceError | undefined) | undefined;
  let asked: { back: boolean; cursor: string | undefined }[];

  let stops = false;
  let stopped: Set<string | undefined>;

  /** The sandbox with pages of two orders, so that a look back needs many. */
  const changes: OrderPort['changes'] = async (since, cursor) => {
    const { port, clock } = world;
    asked.push({ back: since.getTime() < clock.now().getTime() - 20 * 86_400_000, cursor });
    const failed = failure?.(since, cursor);
    if (failed !== undefined) throw failed;
    const { orders, asOf } = await port.changes(since);
    const [from, at] = (cursor ?? `${since.getTime()} 0`).split(' ').map(Number);
    if (from !== since.getTime() || at === undefined) throw new MarketplaceError('permanent', 'Falscher Seitenzeiger.');
    const page = orders.slice(at, at + 2).filter(({ order }) => !hidden.has(order));
    const answer = { orders: page, asOf, ...(at + 2 < orders.length ? { next: `${from} ${at + 2}` } : {}) };
    if (!stops || asked.at(-1)?.back !== true || stopped.has(cursor)) return answer;
    return Object.defineProperty(answer, 'unreadable', { get: () => stop(cursor) });
  };
  const stop = (cursor: string | undefined) => {
    stopped.add(cursor);
    throw new Error('stopped');
  };
  const poll = () => pollOrders(world.deps, world.account, { ...world.port, changes });
  const state = () => world.inside((trx) => trx.selectFrom('order_polls').selectAll().executeTakeFirstOrThrow());
  const known = async () =>
    new Set(
      (await world.inside((trx) => trx.selectFrom('orders').select('order_id').execute())).map((one) => one.order_id),
    );
  const losses = async () =>
    (await world.inside((trx) => trx.selectFrom('notifications').select(['title', 'text']).execute()))
      .filter(({ title }) => title.startsWith('Nachgeholt'))
      .map(({ text }) => text);
  const turns = async (most: number, until: () => Promise<boolean> = () => Promise.resolve(false)) => {
    for (let turn = 0; turn < most; turn++) {
      world.pass(PAGE_SECONDS);
      await poll();
      if (await until()) return turn + 1;
    }
    return most;
  };
  const lookedBack = async () => (await state()).back_since === null;
  const untilNight = () => world.pass(17 * 60 * MINUTE);
  const buy = () => world.stage.buy([{ sku: 'S1', quantity: 1 }]).order;

  beforeEach(async () => {
    world = await makeOrderWorld();
    [hidden, failure, asked, stops, stopped] = [new Set(), undefined, [], false, new Set()];
    old = [];
    for (let n = 0; n < OLD; n++) {
      old.push(buy());
      world.pass(20 * MINUTE);
    }
    // With a full bucket a night begins with twenty pages at once.
    await world.deps.buckets.empty(
      `${world.company}/konto/orders:changes`,
      world.port.support.rates.changes,
      0,
      world.clock.now(),
    );
  });
  afterEach(() => world.close());
  /** Waits until everything bought was read, except hidden orders. */
  const firstWalk = async () => {
    await turns(20, async () => (await state()).cursor === null && (await lookedBack()));
    hidden.clear();
    expect(await losses()).toEqual([]);
  };

  it('an account that is deleted while its orders are read leaves no poll behind', async () => {
    const deleted: OrderPort['changes'] = async (since) => {
      await world.inside(async (trx) => {
        await trx.deleteFrom('order_polls').execute();
        await trx.deleteFrom('marketplace_accounts').execute();
      });
      return world.port.changes(since);
    };
    world.pass(PAGE_SECONDS);
    await pollOrders(world.deps, world.account, { ...world.port, changes: deleted });
    expect(await world.inside((trx) => trx.selectFrom('order_polls').select('channel').execute())).toEqual([]);
  });

  it('OIM-01 a new order during a look-back is read within twelve minutes, and no loss is notified', async () => {
    await firstWalk();
    untilNight();
    await turns(3);
    expect(await lookedBack()).toBe(false);
    for (let n = 0; n < 2; n++) {
      const order = buy();
      expect(await turns(9, async () => (await known()).has(order))).toBeLessThanOrEqual(4);
      expect(await lookedBack()).toBe(false);
    }
    asked = [];
    await turns(30, lookedBack);
    expect(await lookedBack()).toBe(true);
    // Neither of the two starves.
    const back = asked.filter((one) => one.back).length;
    expect(back).toBeGreaterThanOrEqual(Math.floor(asked.length / 2));
    expect(asked.length - back).toBeGreaterThan(0);
    expect(await losses()).toEqual([]);
  });

  it('OIM-01 a new order during the first read of an account is read within twelve minutes', async () => {
    for (let n = 0; n < OLD; n++) buy();
    world.pass(20 * MINUTE);
    await turns(2);
    const order = buy();
    expect(await turns(9, async () => (await known()).has(order))).toBeLessThanOrEqual(4);
    expect((await known()).size).toBeLessThan(2 * OLD);
    // Unread orders may hold pieces of the stock, so no quantity may rise.
    expect((await state()).reconciled_on).toBeNull();
    await turns(30, lookedBack);
    expect((await known()).size).toBe(2 * OLD + 1);
    expect((await state()).reconciled_on).not.toBeNull();
    await turns(10);
    // What was never read does not count as lost, and one look back per day is enough.
    expect(await losses()).toEqual([]);
    expect(asked.filter(({ back, cursor }) => back && cursor === undefined)).toHaveLength(1);
  });

  it('OIM-01 lost orders are notified once with their total, even if the process stops between pages', async () => {
    for (const order of [old[1], old[2], old[8]]) hidden.add(order ?? '');
    await firstWalk();
    expect((await known()).size).toBe(OLD - 3);
    untilNight();
    buy();
    // Each page's first reading fails between its orders and its cursor: it is read again.
    stops = true;
    await turns(3);
    await turns(40, lookedBack);
    expect(stopped.size).toBeGreaterThan(3);
    expect(await lookedBack()).toBe(true);
    expect((await known()).size).toBe(OLD + 1);
    expect(await losses()).toEqual([expect.stringContaining('hat 3 Bestellungen gefunden')]);
    await turns(5);
    expect(await losses()).toHaveLength(1);
  });

  it('OIM-01 a look-back whose page fails waits, resumes at the same page, and blocks no new order', async () => {
    await firstWalk();
    untilNight();
    await turns(4);
    const { back_cursor: cursor } = await state();
    expect(cursor).not.toBeNull();
    failure = (since) =>
      since.getTime() < world.clock.now().getTime() - 20 * 86_400_000
        ? new MarketplaceError('retryable', 'Gerade nicht.', { delayMs: 6 * MINUTE * 1000 })
        : undefined;
    const order = buy();
    await turns(4);
    expect((await known()).has(order)).toBe(true);
    expect(await state()).toMatchObject({ back_cursor: cursor, failed_since: null });
    expect(asked.slice(-4).filter(({ back }) => back).length).toBeLessThanOrEqual(2);
    failure = undefined;
    await turns(30, lookedBack);
    expect(await state()).toMatchObject({ back_since: null, back_failed_since: null });
    // Once by the account's first walk, which goes back as far, and once by this.
    expect(asked.filter(({ back, cursor: of }) => back && of === undefined)).toHaveLength(2);
    expect(await losses()).toEqual([]);
  });

  it('OIM-01 an expired cursor restarts the look-back, while the quick poll continues', async () => {
    await firstWalk();
    untilNight();
    await turns(4);
    failure = (_since, cursor) => (cursor === undefined ? undefined : new MarketplaceError('permanent', 'Abgelaufen.'));
    await turns(2);
    failure = undefined;
    expect(await state()).toMatchObject({ back_cursor: null, back_since: expect.any(Date), failed_since: null });
    const told = await world.inside((trx) => trx.selectFrom('notifications').select(['title', 'text']).execute());
    expect(told.map(({ title }) => title)).toEqual(['Fehlgeschlagen: Abgleich der letzten 30 Tage von „Sandbox“']);
    expect(told[0]?.text).toContain('Neue Bestellungen werden weiter gelesen');
    await turns(40, lookedBack);
    expect(await lookedBack()).toBe(true);
  });

  it('OIM-01 a look-back begun by the previous version continues next to the quick poll', async () => {
    hidden.add(old[9] ?? '');
    await firstWalk();
    untilNight();
    await turns(3);
    const { back_since: since, back_cursor: cursor } = await state();
    if (since === null || cursor === null) throw new Error('no look back');
    const of = { since, cursor, as_of: world.clock.now(), reconciling: true, back_since: null, back_cursor: null };
    await world.inside((trx) => trx.updateTable('order_polls').set(of).execute());
    const order = buy();
    await turns(4);
    expect((await known()).has(order)).toBe(true);
    expect(await state()).toMatchObject({ reconciling: false, back_since: since });
    await turns(30, lookedBack);
    expect(await losses()).toEqual([expect.stringContaining('hat eine Bestellung gefunden')]);
  });
});
