import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdOutgoing, releaseOutgoing } from '#platform/installation-facts.ts';
import { makeOrderWorld, type OrderWorld } from '../../stages/orders/order-world.ts';

// Held prices are tested in repricer-fields.test.ts, stock in stock-sending.test.ts, uploads in operations.test.ts.
describe('a restored system', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  afterAll(() => world.close());
  const hold = () => world.database.system((trx) => holdOutgoing(trx, '2026-01-01T00:00:00.000Z', world.clock.now()));
  const release = () => world.database.system(releaseOutgoing);

  it('reads orders, but reports no parcel to marketplaces until it is released', async () => {
    await hold();
    const { order, line } = await world.bought();
    await world.ask(order, {
      kind: 'ship',
      lines: [{ line, quantity: 1 }],
      carrier: 'DHL',
      tracking: '1234567890',
      returnTracking: '',
    });
    for (let turn = 0; turn < 5; turn++) {
      expect(await world.send()).toBe(0);
      world.pass(60);
    }
    const { order: later } = world.stage.buy([{ sku: 'S2', quantity: 1 }]);
    world.pass(400);
    await world.poll();
    expect((await world.details(later)).order).toMatchObject({ state: 'open' });
    await release();
    expect(await world.send()).toBe(1);
  });
});
