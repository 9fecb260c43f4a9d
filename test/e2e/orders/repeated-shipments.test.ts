import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Faults } from '#marketplaces/sandbox/faults.ts';
import { makeOrderWorld, type OrderWorld } from '../../stages/orders/order-world.ts';

describe('a shipment that the marketplace did not answer', () => {
  let world: OrderWorld;
  let before: { shipments: number; shippedTwice: number };
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  beforeEach(() => {
    const { shipments, shippedTwice } = world.sandbox.counters;
    before = { shipments, shippedTwice };
    world.sandbox.setFaults({});
  });
  afterAll(() => world.close());

  const ship = async (tracking: string) => {
    const { order, line } = await world.bought();
    const lines = [{ line, quantity: 3 }];
    await world.ask(order, { kind: 'ship', lines, carrier: 'DHL', tracking, returnTracking: '' });
    return { order, line };
  };
  /** Lets the program work for so many seconds, until the action has ended; returns the seconds that passed. */
  const work = async (order: string, seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 5) {
      await world.send();
      await world.readBack();
      const { state } = await stored(order);
      if (state === 'done' || state === 'refused' || state === 'unclear') return passed;
      world.pass(5);
    }
    return seconds;
  };
  const stored = (order: string) =>
    world.inside((trx) =>
      trx
        .selectFrom('order_actions')
        .select(['state', 'sends', 'message'])
        .where('order_id', '=', order)
        .executeTakeFirstOrThrow(),
    );
  /** How often the marketplace was asked to confirm a parcel of the order. */
  const confirmations = (order: string) =>
    world.exchanged.filter(({ url }) => url.includes(`${order}/shipmentConfirmation`)).length;
  const isShippedOnce = (order: string) => {
    expect(world.stage.truth(order)).toEqual([{ shipped: 3, cancelled: 0 }]);
    const { shipments, shippedTwice } = world.sandbox.counters;
    expect([shipments - before.shipments, shippedTwice - before.shippedTwice]).toEqual([1, 0]);
  };

  it('OIM-02 is sent again within two minutes after the marketplace was away for one', async () => {
    const { order } = await ship('WEG1');
    world.sandbox.setFaults({ error503: 1 });
    expect(await work(order, 60)).toBe(60);
    expect((await stored(order)).state).toBe('unknown');
    world.sandbox.setFaults({});
    // The marketplace shows the parcel a minute after it was accepted.
    expect(await work(order, 600)).toBeLessThanOrEqual(180);
    expect((await stored(order)).state).toBe('done');
    isShippedOnce(order);
  });

  it.each<[string, Partial<Faults>]>([
    ['503', { error503: 1 }],
    ['no connection', { cutBefore: 1 }],
  ])('OIM-02 is sent again at growing intervals while confirmations fail: %s', async (_name, fault) => {
    const { order } = await ship('WEG2');
    world.sandbox.setFaults(fault, ['confirmShipment']);
    await work(order, 9 * 60);
    const { sends } = await stored(order);
    expect(sends).toBeGreaterThan(3);
    expect(sends).toBeLessThan(8);
    world.sandbox.setFaults({});
    await work(order, 20 * 60);
    expect(await stored(order)).toMatchObject({ state: 'done', sends: sends + 1 });
    isShippedOnce(order);
  });

  it('OIM-02 that arrived is found, or sent again under its number, and never becomes two', async () => {
    const { order } = await ship('DA1');
    world.sandbox.setFaults({ cutAfter: 1, packageLate: 1 }, ['confirmShipment']);
    await work(order, 60);
    world.sandbox.setFaults({});
    await work(order, 30 * 60);
    expect((await stored(order)).state).toBe('done');
    isShippedOnce(order);
  });

  it('OIM-02 an accepted parcel that is shown late is not sent again', async () => {
    const { order } = await ship('SPÄT1');
    world.sandbox.setFaults({ packageLate: 1 }, ['confirmShipment']);
    await work(order, 40 * 60);
    expect([await stored(order), confirmations(order)]).toMatchObject([{ state: 'done', sends: 1 }, 1]);
    isShippedOnce(order);
  });

  it('OIM-02 nothing is sent again soon if the marketplace has another parcel with the pieces', async () => {
    const { order, line } = await ship('UNSER1');
    const lines = [{ line, quantity: 3 }];
    const other = { carrier: 'DPD', tracking: 'FREMD1', returnTracking: '', reference: '77', lines };
    const at = { orderedAt: world.clock.now(), shippedAt: world.clock.now() };
    await world.port.act({ kind: 'ship', order, idemKey: 'x', ...at, ...other });
    await work(order, 25 * 60);
    expect([(await stored(order)).state, confirmations(order)]).toEqual(['unknown', 2]);
    await work(order, 30 * 60);
    expect((await stored(order)).state).toBe('refused');
    expect(world.stage.truth(order)).toEqual([{ shipped: 3, cancelled: 0 }]);
  });
});
