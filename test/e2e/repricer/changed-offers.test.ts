import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { type Listing, listingsOf, saveListings } from '#repricer/model/listings.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

/** Items that cost at least 40 euros; the others cost 10 to 20. */
const dear: ReadonlySet<number> = new Set([1, 6]);

describe('an offer whose listing changes while its price is being sent', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const rows = Array.from(
      { length: 7 },
      (_, n) => `A-${n};${dear.has(n) ? '40,00;80,00;60,00' : '10,00;20,00;15,00'}`,
    );
    const csv = ['sku;von;bis;normal', ...rows].join('\n');
    world = await makePriceWorld(csv, rows.length, [
      undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
    ]);
  });
  afterAll(() => world.close());

  const change = (changes: Record<string, Partial<Listing>>) =>
    world.inside(async (trx) => {
      const ours = await listingsOf(trx, world.place, 'M1', Object.keys(changes));
      const changed = ours.map((one) => ({ ...one, price: null, ...changes[one.item] }));
      await saveListings(trx, world.place, changed, world.clock.now());
    });
  const cameFor = (sku: string) => world.market.came.filter((one) => one.sku === sku).map(({ cents }) => cents);
  const sent = async (n: number) => (await world.decided(n))?.sent;
  const own = async (n: number) => {
    const { rows } = await world.inside((trx) =>
      pg<{ cents: number | null }>`select price_cents as cents from listings where item = ${`A-${n}`}`.execute(trx),
    );
    return rows[0]?.cents;
  };

  it('REP-19 a waiting price is not sent to a SKU that now belongs to another item', async () => {
    await world.receive(world.message(0, { K1: 14 }));
    await repriceDue(world.deps);
    // Two items were mixed up: the one sold as S0 costs at least 40 euros.
    await change({ 'A-0': { sku: 'S1' }, 'A-1': { sku: 'S0' } });
    await submitDue(world.deps);
    expect(cameFor('S0')).toEqual([]);
    expect(await sent(0)).toMatchObject({ state: 'held', held: 'LISTING_CHANGED' });
    await repriceDue(world.deps);
    await submitDue(world.deps);
    expect([cameFor('S0'), cameFor('S1')]).toEqual([[], [1399]]);
  });

  it("REP-19 a price that never went live is not resent under the old SKU, and the old SKU's price is not ours", async () => {
    world.market.moods.set('S2', 'never live');
    world.market.prices.set('S2', 7700);
    await world.undercut(2);
    expect(cameFor('S2')).toEqual([1399]);
    await change({ 'A-2': { sku: 'S20', price: 1500 } });
    world.later(16 * 60);
    await readBackDue(world.deps);
    await submitDue(world.deps);
    expect(cameFor('S2')).toEqual([1399]);
    expect(await own(2)).toBe(1500);
    expect(await sent(2)).toMatchObject({ state: 'held', held: 'LISTING_CHANGED' });
    await repriceDue(world.deps);
    await submitDue(world.deps);
    expect(cameFor('S20')).toEqual([1399]);
  });

  it('REP-19 the live price of the old SKU does not count for the new SKU, which gets its own', async () => {
    await world.undercut(3);
    world.later(60);
    await readBackDue(world.deps);
    expect([await own(3), await sent(3)]).toMatchObject([1399, { state: 'live' }]);
    await change({ 'A-3': { sku: 'S30' } });
    expect(await own(3)).toBeNull();
    world.later(6 * 60);
    await repriceDue(world.deps);
    await submitDue(world.deps);
    expect(cameFor('S30')).toEqual([1399]);
  });

  it('REP-19 an offer listed again without a price takes the price that messages show, whenever they arrive', async () => {
    const shownAt = world.clock.now();
    world.later(2);
    await change({ 'A-4': {} });
    await world.receive(world.message(4, { WIR: 13, K1: 14 }, shownAt));
    expect(await own(4)).toBe(1300);
  });

  it('REP-19 a SKU belongs to the item that was listed last, and only its limits apply', async () => {
    await change({ 'A-6': { sku: 'S5', productId: 'B5' } });
    await world.undercut(5);
    expect(cameFor('S5')).toEqual([4000]);
    expect(await world.inside((trx) => listingsOf(trx, world.place, 'M1', ['A-5']))).toEqual([]);
  });
});
