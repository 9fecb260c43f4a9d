import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import type { OrderPort } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { readBackDue } from '#orders/actions/outbox.ts';
import { fetchHinted } from '#orders/intake/fetch-hinted.ts';
import { addHint } from '#orders/intake/hints.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { OrderWorker } from '#orders/order-worker.ts';
import { compareStock } from '#orders/stock/compare-stock.ts';
import { sendStock } from '#orders/stock/send-stock.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { submitDue } from '#repricer/outbox/submit.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makeOrderWorld, type OrderWorld } from '../../stages/orders/order-world.ts';
import { makePriceWorld } from '../../stages/repricer/price-world.ts';

const tooMany = () => new MarketplaceError('retryable', 'Zu viele Anfragen.', { delayMs: 120_000 });

describe('F13 after a marketplace says that there were too many calls', () => {
  let world: OrderWorld;
  let calls = 0;
  const refuse = async () => {
    calls += 1;
    throw tooMany();
  };
  const opened = (orders: OrderPort) => ({ ...world.deps, open: async () => ({ ...world.connector, orders }) });
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  afterAll(() => world.close());

  it('the same turn and the following ones read no further order until the time is over', async () => {
    const { port, deps, account, company, clock } = world;
    await world.inside(async (trx) => {
      for (let n = 0; n < 25; n++) await addHint(trx, company, account.id, `028-${n}`, clock.now());
    });
    world.pass(60);
    calls = 0;
    const limited = { ...port, order: refuse };
    await fetchHinted(deps, account, limited);
    const first = calls;
    expect(first).toBeLessThan(15);
    world.pass(100);
    await fetchHinted(deps, account, limited);
    expect(calls).toBe(first);
    world.pass(21);
    await fetchHinted(deps, account, limited);
    expect(calls).toBe(first + 1);
    await world.inside((trx) => trx.deleteFrom('order_hints').execute());
  });

  it('no further action is read back', async () => {
    world.pass(600);
    for (let n = 0; n < 3; n++) {
      const { order, line } = await world.bought();
      const lines = [{ line, quantity: 1 }];
      await world.ask(order, { kind: 'ship', lines, carrier: 'DHL', tracking: `JJD${n}`, returnTracking: '' });
    }
    await world.send();
    world.pass(600);
    calls = 0;
    const deps = opened({ ...world.port, readBack: refuse });
    await readBackDue(deps);
    await readBackDue(deps);
    expect(calls).toBe(1);
  });

  it('no further stock is sent', async () => {
    const { company, account, clock } = world;
    const now = clock.now();
    await world.inside(async (trx) => {
      await trx.insertInto('masters').values({ company, id: 'm', name: 'Katalog' }).execute();
      await trx.insertInto('stock_states').values({ company, master: 'm', source_at: now, computed_at: now }).execute();
      const offer = { company, master: 'm', channel: account.id, account: true, offered: 0, shown: 9 };
      const items = ['S1', 'S2', 'S3'].map((item) => ({ ...offer, item, sku: item, changed_at: now, not_before: now }));
      await trx.insertInto('stock_offers').values(items).execute();
    });
    calls = 0;
    const deps = opened({ ...world.port, setStock: refuse });
    await sendStock(deps);
    await sendStock(deps);
    expect(calls).toBe(1);
  });

  it('no further stock is compared', async () => {
    world.pass(600);
    const before = new Date(world.clock.now().getTime() - 3_600_000);
    await world.inside((trx) =>
      trx.updateTable('stock_offers').set({ state: 'accepted', shown: 0, base_at: before }).execute(),
    );
    calls = 0;
    const deps = opened({ ...world.port, readStock: refuse });
    for (let turn = 0; turn < 3; turn++) await compareStock(deps);
    expect(calls).toBe(1);
  });

  it('the look back over older orders asks no sooner than the walk that was told to wait', async () => {
    const { port, deps, account, clock } = world;
    await pollOrders(deps, account, port);
    await world.inside((trx) =>
      trx
        .updateTable('order_polls')
        .set({ back_since: new Date(clock.now().getTime() - 86_400_000), back_turn: false })
        .execute(),
    );
    world.pass(600);
    calls = 0;
    const limited = { ...port, changes: refuse };
    for (let turn = 0; turn < 3; turn++) {
      await pollOrders(deps, account, limited);
      world.pass(2);
    }
    expect(calls).toBe(1);
  });

  it('no further price is sent, and those that were left count as not sent', async () => {
    const items = 60;
    const rows = Array.from({ length: items }, (_, n) => `A-${n};10,00;20,00;15,00`);
    const rule = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
    const prices = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), items, [rule]);
    try {
      const { connector } = prices.market;
      const usual = connector.capabilities();
      const rates = { ...usual.rates, updatePrices: { perSecond: 100, burst: 100 } };
      const capabilities = () => ({ ...usual, rates, batch: { ...usual.batch, updatePrices: 1 } });
      const deps = {
        ...prices.deps,
        open: async () => ({ ...connector, capabilities, updatePrices: refuse }),
      };
      for (let n = 0; n < items; n++) await prices.receive(prices.message(n, { K1: 14 }));
      await repriceDue(deps);
      calls = 0;
      await submitDue(deps);
      expect(calls).toBe(50);
      await submitDue(deps);
      expect(calls).toBe(50);
      const sent = await prices.inside((trx) =>
        trx.selectFrom('price_submissions').select(['state', 'sends']).execute(),
      );
      expect(sent).toEqual(Array.from({ length: items }, () => ({ state: 'new', sends: 0 })));
    } finally {
      await prices.close();
    }
  });
});

describe('F13 a marketplace that does not answer', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  afterAll(() => world.close());

  it('delays the reading of no other account', async () => {
    const { account, company, clock, port } = world;
    await world.inside((trx) => saveAccount(trx, { ...account, id: 'andere' }));
    const read: string[] = [];
    const orders: OrderPort = {
      ...port,
      order: async (order) => {
        read.push(order);
        return undefined;
      },
    };
    const answer = Promise.withResolvers<undefined>();
    const open = ({ id }: { id: string }) =>
      id === 'andere' ? answer.promise : Promise.resolve({ ...world.connector, orders });
    const worker = new OrderWorker({ ...world.deps, open });
    worker.start();
    for (const order of ['028-1', '028-2']) {
      await world.inside((trx) => addHint(trx, company, account.id, order, clock.now()));
      await expect.poll(() => read).toContain(order);
    }
    answer.resolve(undefined);
    await worker.close();
  });
});
