import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareStock } from '#orders/stock/compare-stock.ts';
import { computeOffers } from '#orders/stock/compute.ts';
import { recomputeItems } from '#orders/stock/recompute.ts';
import { sendStock } from '#orders/stock/send-stock.ts';
import { saveStockSettings } from '#orders/stock/settings.ts';
import { holdOutgoing, releaseOutgoing } from '#platform/installation-facts.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { saveListings } from '#repricer/model/listings.ts';
import { seeded } from '../../../seed/random.ts';
import { makeOrderWorld, type OrderWorld } from '../../stages/orders/order-world.ts';

const skus = Array.from({ length: 30 }, (_, n) => `S${n + 1}`).slice(0, 29);

describe('stock sent to a marketplace', () => {
  let world: OrderWorld;
  let settings: StockSettings;
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  afterAll(() => world.close());

  const place = () => ({ company: world.company, master: 'm' });
  const article = (sku: string) => {
    const found = world.sandbox.world.articles.get(sku);
    if (found === undefined) throw new Error(sku);
    return found;
  };
  /** Stores the source's numbers, as the worker does after an import. */
  const stockIs = async (numbers: Readonly<Record<string, number>>, held = '') => {
    const now = world.clock.now();
    await world.inside(async (trx) => {
      for (const [item, on_hand] of Object.entries(numbers))
        await trx
          .insertInto('stock_items')
          .values({ ...place(), item, on_hand, source: 'ok' })
          .onConflict((conflict) =>
            conflict.columns(['company', 'master', 'item']).doUpdateSet({ on_hand, available: 0 }),
          )
          .execute();
      await trx
        .updateTable('stock_states')
        .set({ held, source_at: now, computed_at: now })
        .where((eb) => eb.and(place()))
        .execute();
    });
    await compute(Object.keys(numbers));
  };
  const compute = (items: readonly string[]) =>
    world.inside(async (trx) => {
      const { source_at: sourceAt } = await trx
        .selectFrom('stock_states')
        .select('source_at')
        .where((eb) => eb.and(place()))
        .executeTakeFirstOrThrow();
      if (sourceAt === null) throw new Error('no source');
      await recomputeItems(trx, place(), { settings, sourceAt, items, now: world.clock.now() });
    });
  /** Sends everything that is due, whatever the rates. */
  const sendAll = async () => {
    for (let turn = 0; turn < 60; turn++) {
      await sendStock(world.deps);
      world.pass(2);
    }
  };
  const pollAll = async () => {
    world.pass(11 * 60);
    for (let turn = 0; turn < 20; turn++) {
      await world.poll();
      world.pass(180);
    }
  };

  it('sends nothing while held, then falling numbers at once and rising ones once the orders are known', async () => {
    settings = StockSettings.parse({
      field: 'bestand',
      channels: [{ id: world.account.id, active: true, floor: 0, cap: null, share: 100 }],
    });
    await world.inside(async (trx) => {
      await trx.insertInto('masters').values({ company: world.company, id: 'm', name: 'Katalog' }).execute();
      await saveStockSettings(trx, { company: world.company, masterid: 'm' }, settings, {
        author: 'Test',
        expected: 0,
      });
      const { marketplace, account } = world;
      const listing = { marketplace, account: account.id, condition: 'new', fulfilment: 'merchant' as const };
      await saveListings(
        trx,
        { company: world.company, masterid: 'm' },
        skus.map((sku) => ({
          ...listing,
          item: sku,
          sku,
          productId: sku.replace('S', 'B'),
          currency: 'EUR',
          shipping: 0,
          price: 1500,
          stock: null,
        })),
        world.clock.now(),
      );
    });
    await stockIs({ S1: 0, S2: 7 }, 'angehalten');
    await sendAll();
    expect(world.sandbox.counters.stockUpdates).toBe(0);
    await stockIs({ S1: 0, S2: 7 });
    // A restored system sends nothing either, until it is released.
    await world.database.system((trx) => holdOutgoing(trx, '2026-01-01T00:00:00.000Z', world.clock.now()));
    expect(await sendStock(world.deps)).toBe(0);
    expect(world.sandbox.counters.stockUpdates).toBe(0);
    await world.database.system(releaseOutgoing);
    await sendStock(world.deps);
    expect([article('S1').listed, article('S2').listed]).toEqual([0, null]);
    await pollAll();
    await sendAll();
    expect(article('S2').listed).toBe(7);
    const before = world.sandbox.counters.stockUpdates;
    await sendAll();
    expect(world.sandbox.counters.stockUpdates).toBe(before);
  });

  it('a number above 0 does not restore pieces that the marketplace sold unnoticed', async () => {
    world.stage.buy([{ sku: 'S2', quantity: 5 }]);
    await stockIs({ S2: 6 });
    await sendAll();
    expect(article('S2').listed).toBe(1);
    await pollAll();
    await compute(['S2']);
    await sendAll();
    expect(article('S2').listed).toBe(1);
  });

  it('no number rises while orders cannot be read, and a failed poll does not count as read', async () => {
    await stockIs({ S4: 5 });
    await pollAll();
    await sendAll();
    await stockIs({ S4: 9 });
    world.setFault('overloaded');
    await pollAll();
    world.setFault(undefined);
    await sendAll();
    expect(article('S4').listed).toBe(5);
    await pollAll();
    await sendAll();
    expect(article('S4').listed).toBe(9);
  });

  it('no number rises until the orders of a new account have been read', async () => {
    const read = (reconciled_on: string | null) =>
      world.inside((trx) => trx.updateTable('order_polls').set({ reconciled_on, back_since: null }).execute());
    await stockIs({ S5: 3 });
    await pollAll();
    await read(null);
    await sendAll();
    expect(article('S5').listed).toBeNull();
    await read('2026-01-01');
    await sendAll();
    expect(article('S5').listed).toBe(3);
  });

  it('a call without an answer is repeated until its result is known', async () => {
    await stockIs({ S3: 4 });
    await pollAll();
    world.setFault('cutAfter');
    await sendAll();
    world.setFault(undefined);
    world.pass(60 * 60);
    await sendAll();
    const row = await world.inside((trx) =>
      trx.selectFrom('stock_offers').selectAll().where('item', '=', 'S3').executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ offered: 4, shown: 4, state: 'accepted', message: '' });
    expect(article('S3').listed).toBe(4);
  });

  it('all numbers are read daily, and one changed elsewhere is notified and set again', async () => {
    article('S3').listed = 9;
    world.pass(25 * 60 * 60);
    for (let turn = 0; turn < 5; turn++) {
      await compareStock(world.deps);
      world.pass(10);
    }
    await pollAll();
    await compareStock(world.deps);
    const told = await world.inside((trx) => trx.selectFrom('notifications').selectAll().execute());
    expect(told.map(({ text }) => text).join()).toContain('Artikel S3: der Kanal zeigt 9 statt 4 Stück');
    await sendAll();
    expect(article('S3').listed).toBe(4);
  });

  it('a sold-out article is set to 0 within minutes after the marketplace was away for long', async () => {
    await stockIs({ S3: 0 });
    const work = async (minutes: number) => {
      for (let passed = 0; passed < 2 * minutes; passed++) {
        await sendStock(world.deps);
        world.pass(30);
      }
    };
    world.setFault('overloaded');
    await work(40);
    expect(article('S3').listed).toBe(4);
    world.setFault(undefined);
    await work(6);
    expect(article('S3').listed).toBe(0);
  });

  it('100 buyers of the last pieces through two channels cause no oversale', async () => {
    const chance = seeded(11);
    const items = ['S10', 'S11', 'S12'];
    settings = StockSettings.parse({
      field: 'bestand',
      channels: [
        { id: world.account.id, active: true, floor: 0, cap: null, share: 50 },
        { id: 'laden', active: true, floor: 0, cap: null, share: 50 },
      ],
    });
    for (const sku of items) Object.assign(article(sku), { stock: 12, listed: 0, sold: 0 });
    await stockIs(Object.fromEntries(items.map((sku) => [sku, 12])));
    await pollAll();
    await sendAll();
    expect(items.map((sku) => article(sku).listed)).toEqual([6, 6, 6]);
    let shopSold = 0;
    let marketSold = 0;
    for (let buyer = 0; buyer < 100; buyer++) {
      const sku = items[Math.floor(chance.next() * items.length)] ?? 'S10';
      if (chance.next() < 0.5) {
        try {
          world.stage.buy([{ sku, quantity: 1 }]);
          marketSold++;
        } catch {
          // Sold out there.
        }
      } else if (await shopSells(sku, buyer)) {
        shopSold++;
        article(sku).sold++;
      }
      world.pass(20);
      if (buyer % 9 === 0) await world.poll();
      await compute(items);
      await sendStock(world.deps);
    }
    expect(world.sandbox.counters.oversold).toBe(0);
    for (const sku of items) expect(article(sku).sold).toBeLessThanOrEqual(12);
    expect([shopSold > 8, marketSold > 8]).toEqual([true, true]);
  });

  /** The shop sells what its feed shows, and submits the order. */
  async function shopSells(sku: string, buyer: number): Promise<boolean> {
    return world.inside(async (trx) => {
      await computeOffers(trx, { ...place(), settings, sourceAt: world.clock.now(), items: [sku] }, world.clock.now());
      const offer = await trx
        .selectFrom('stock_offers')
        .select('offered')
        .where((eb) => eb.and({ ...place(), item: sku, channel: 'laden' }))
        .executeTakeFirst();
      if ((offer?.offered ?? 0) < 1) return false;
      const order = { company: world.company, channel: 'laden', order_id: `L-${buyer}` };
      const now = world.clock.now();
      await trx
        .insertInto('orders')
        .values({
          ...order,
          channel_name: 'Laden',
          source: 'call',
          placed_at: now,
          changed_at: now,
          seen_at: now,
          currency: 'EUR',
          state: 'open',
          open_pieces: 1,
          day: '2026-03-01',
        })
        .execute();
      await trx
        .insertInto('order_lines')
        .values({ ...order, line_id: '1', placed_at: now, position: 1, sku, master: 'm', item: sku, ordered: 1 })
        .execute();
      return true;
    });
  }
});
