import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

describe('a price that the marketplace accepts but does not show', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const rows = Array.from({ length: 4 }, (_, n) => `A-${n};10,00;20,00;15,00`);
    world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), rows.length, [
      undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
    ]);
  });
  afterAll(() => world.close());

  it('REP-19 every send, also a repeated one, has a quarter of an hour to go live', async () => {
    const { market, deps, later } = world;
    market.moods.set('S0', 'never live');
    market.prices.set('S0', 1500);
    await world.undercut(0);
    const sends: number[] = [];
    for (let minute = 1; minute <= 62; minute++) {
      later(60);
      await readBackDue(deps);
      await submitDue(deps);
      if (market.came.length > sends.length + 1) sends.push(minute);
    }
    expect(sends).toHaveLength(3);
    const pauses = sends.map((minute, n) => minute - (sends[n - 1] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(15);
    expect((await world.decided(0))?.sent).toMatchObject({ state: 'invalid', sends: 4 });
  });

  const cameFor = (n: number) => world.market.came.filter(({ sku }) => sku === `S${n}`).map(({ cents }) => cents);

  it('REP-19 a price that never went live is not resent once offers lead to another one', async () => {
    const { market, deps, later } = world;
    market.moods.set('S1', 'never live');
    market.prices.set('S1', 1500);
    await world.undercut(1, 14);
    later(10 * 60);
    await world.undercut(1, 19);
    expect(await world.decided(1)).toMatchObject({ price_cents: 1899, held: 'IN_FLIGHT' });
    market.moods.set('S1', 'fine');
    later(6 * 60);
    await readBackDue(deps);
    await submitDue(deps);
    expect(cameFor(1)).toEqual([1399]);
    await repriceDue(deps);
    await submitDue(deps);
    expect(cameFor(1)).toEqual([1399, 1899]);
  });

  it('REP-19 a price lost on its way is not resent when the current price has become right in the meantime', async () => {
    const { market, deps, later } = world;
    market.moods.set('S2', 'lost');
    market.prices.set('S2', 1500);
    await world.undercut(2, 14);
    market.moods.set('S2', 'fine');
    await world.undercut(2, 15.01);
    expect(await world.decided(2)).toMatchObject({ price_cents: 1500, verdict: 'unchanged' });
    later(3 * 60);
    await readBackDue(deps);
    await submitDue(deps);
    expect(cameFor(2)).toEqual([]);
  });

  it('REP-19 a price that never went live is sent again while offers lead to the same price', async () => {
    const { market, deps, later } = world;
    market.moods.set('S3', 'never live');
    market.prices.set('S3', 1500);
    await world.undercut(3, 14);
    later(10 * 60);
    await world.undercut(3, 14);
    later(6 * 60);
    await readBackDue(deps);
    await submitDue(deps);
    expect(cameFor(3)).toEqual([1399, 1399]);
  });
});
