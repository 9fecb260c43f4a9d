import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { listingsOf, saveListings } from '#repricer/model/listings.ts';
import { submitDue } from '#repricer/outbox/submit.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

describe('a catalogue sold in two currencies', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const csv = 'sku;von;bis;normal\nA-0;10,00;20,00;15,00';
    world = await makePriceWorld(csv, 1, [undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal'])]);
    await world.inside(async (trx) => {
      const account = {
        ...world.place,
        connector: 'test',
        sellerId: 'WIR',
        name: 'Polen',
        settings: '{}',
        active: true,
      };
      await saveAccount(trx, { ...account, id: 'polen', marketplace: 'M2', currency: 'PLN' });
      const [german] = await listingsOf(trx, world.place, 'M1', ['A-0']);
      if (german === undefined) throw new Error('nothing is sold');
      const polish = { ...german, marketplace: 'M2', account: 'polen', sku: 'PL0', currency: 'PLN', price: 6500 };
      await saveListings(trx, world.place, [polish], world.clock.now());
    });
  });
  afterAll(() => world.close());

  it('REP-19 sends no złoty price within euro limits, and continues with the euro price', async () => {
    const polish = JSON.parse(
      JSON.stringify(world.message(0, { K1: 62 }))
        .replaceAll('"M1"', '"M2"')
        .replaceAll('"EUR"', '"PLN"'),
    ) as unknown;
    expect(await world.receive(polish)).toBe('taken');
    await world.receive(world.message(0, { K1: 14 }));
    await repriceDue(world.deps);
    await submitDue(world.deps);
    expect(world.market.came.map(({ sku, cents }) => [sku, cents])).toEqual([['S0', 1399]]);
    const newest = await world.inside((trx) =>
      trx
        .selectFrom('price_decisions')
        .select(['price_cents', 'reason', 'verdict'])
        .where((eb) => eb.and({ company: world.company, marketplace: 'M2' }))
        .orderBy('id', 'desc')
        .executeTakeFirst(),
    );
    expect(newest).toEqual({ price_cents: null, reason: 'HOLD_CURRENCY', verdict: 'none' });
  });
});
