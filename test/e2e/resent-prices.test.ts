import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { undercutting } from '../stages/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../stages/price-world.ts';

describe('a price that the marketplace takes and does not show', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const rows = Array.from({ length: 4 }, (_, n) => `A-${n};10,00;20,00;15,00`);
    world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), rows.length, [
      undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
    ]);
  });
  afterAll(() => world.close());

  it('REP-19 every send has the same time to go live: a quarter of an hour, the second one too', async () => {
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
});
