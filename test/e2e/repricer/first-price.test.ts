import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { pg } from '#platform/db/pg.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

describe('the first price of an offer', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const csv = 'sku;von;bis;normal\nA-0;5,00;20,00;15,00';
    world = await makePriceWorld(csv, 1, [undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal'])]);
    // An offer that was reported without its price.
    await world.inside((trx) => pg`update listings set price_cents = null, price_at = null`.execute(trx));
  });
  afterAll(() => world.close());

  it('REP-19 is the base of the next day: even in steps a price falls to half of it at most', async () => {
    const { deps } = world;
    for (const euros of [18, 6, 6, 6, 6]) {
      await world.receive(world.message(0, { K1: euros }));
      await repriceDue(deps);
      await submitDue(deps);
      world.later(31 * 60);
      await readBackDue(deps);
    }
    expect(world.market.came.map(({ cents }) => cents)).toEqual([1799, 1260, 900]);
    expect(await world.decided(0)).toMatchObject({ price_cents: 599, held: 'DAY_FALL' });
  });
});
