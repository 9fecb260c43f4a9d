import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNotification } from '#marketplaces/amazon/offer-messages.ts';
import { takeMessages } from '#repricer/intake/messages.ts';
import { seeded } from '../../../seed/random.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

const ITEMS = 20;
const MESSAGES = 40;

/**
 * By the rules of Amazon's queue: at least once, in any order, ten at most at a time, and unacknowledged messages are delivered
 * again. A tenth is duplicated, a tenth comes up to ten minutes late, a fiftieth never.
 */
describe('messages of an unordered queue', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const rows = Array.from({ length: ITEMS }, (_, n) => `A-${n};10,00;20,00;15,00`);
    world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), ITEMS, []);
  });
  afterAll(() => world.close());

  it('F14 leave the offers of the newest message per article, whatever arrived twice, late or never', async () => {
    const random = seeded(14);
    const start = world.clock.now().getTime() - 60 * 60_000;
    const sent = Array.from({ length: MESSAGES }, (_, round) =>
      Array.from({ length: ITEMS }, (_, n) => {
        const at = new Date(start + round * 60_000 + n * 1000);
        return { n, at, late: random.chance(0.1) ? random.int(10 * 60_000) : 0, cents: 1100 + random.int(500) };
      }),
    ).flat();
    const arrived = sent.filter(() => !random.chance(0.02));
    const again = arrived.filter(() => random.chance(0.1));
    const shown = [...arrived, ...again.map((one) => ({ ...one, late: random.int(10 * 60_000) }))]
      .toSorted((one, other) => one.at.getTime() + one.late - other.at.getTime() - other.late)
      .map(({ n, at, cents }) => {
        const message = world.message(n, { K1: cents / 100 }, at);
        return { ...message, NotificationMetadata: { NotificationId: `${n}/${at.getTime()}` } };
      });
    const counts = { taken: 0, twice: 0, old: 0 };
    const take = async (batch: typeof shown) => {
      const messages = batch.map((one) => {
        const snapshot = readNotification(one);
        return snapshot === undefined ? undefined : { about: 'offers' as const, snapshot };
      });
      return takeMessages(world.deps, world.company, messages);
    };
    let repeated = 0;
    for (let from = 0; from < shown.length; from += 10) {
      const batch = shown.slice(from, from + 10);
      // A process that dies before it acknowledges receives the same messages again.
      const times = random.chance(0.05) ? 2 : 1;
      repeated += (times - 1) * batch.length;
      for (let time = 0; time < times; time++) {
        const result = await take(batch);
        for (const fate of ['taken', 'twice', 'old'] as const) counts[fate] += result[fate];
      }
    }
    expect(counts.twice).toBe(again.length + repeated);
    expect(counts.taken + counts.old).toBe(arrived.length);
    expect(counts.old).toBeGreaterThan(20);

    const newest = new Map(arrived.map((one) => [`B${one.n}`, [one.at.getTime(), one.cents]]));
    const { rows } = await world.inside(async (trx) => ({
      rows: await trx.selectFrom('article_offers').select(['product_id', 'event_at', 'offers']).execute(),
    }));
    expect(rows).toHaveLength(ITEMS);
    for (const { product_id: product, event_at: at, offers } of rows) {
      expect([product, at.getTime()]).toEqual([product, newest.get(product)?.[0]]);
      expect(offers).toContain(String(newest.get(product)?.[1]));
    }
  });
});
