import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amazonConnector } from '#marketplaces/amazon/connector.ts';
import { Egress } from '#platform/egress/egress.ts';
import { pollOffers, PollingPlans } from '#repricer/intake/offer-polling.ts';
import { Receiver } from '#repricer/intake/receive.ts';
import { storedOffers } from '#repricer/model/article-offers.ts';
import { seeded } from '../../../seed/random.ts';
import { messageQueueServer, type MessageQueueServer } from '../../servers/message-queue.ts';
import { orderMessage } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

const ITEMS = 60;
const ROUNDS = 10;
const MINUTE = 60_000;
const EVERY = 4 * MINUTE;

/** A tenth of the messages is duplicated, a tenth comes up to ten minutes late, a fiftieth never. */
describe('a marketplace queue that duplicates, reorders and loses messages', () => {
  const random = seeded(14);
  let world: PriceWorld;
  let queue: MessageQueueServer;
  /** The queue's own time, by which messages become visible. */
  let time = 0;

  beforeAll(async () => {
    const rows = Array.from({ length: ITEMS }, (_, n) => `A-${n};10,00;20,00;15,00`);
    world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), ITEMS, []);
    queue = await messageQueueServer({ now: () => time, chance: (share) => random.chance(share) });
  });
  afterAll(async () => {
    await queue.close();
    await world.close();
  });

  /** Returns the competitor's prices that the program knows, by article number. */
  const known = async () => {
    const products = Array.from({ length: ITEMS }, (_, n) => `B${n}`);
    const stored = await world.inside((trx) => storedOffers(trx, world.place, 'M1', products));
    return new Map(
      [...stored]
        .map(([key, { offers }]): [number, number | undefined] => [
          Number(/\d+/.exec(key)?.[0]),
          offers[0]?.listing_price_cents,
        ])
        .toSorted(([one], [other]) => one - other),
    );
  };

  it('F14 leads to the same offers as ordered messages, and polling finds what was lost', async () => {
    const start = world.clock.now().getTime() - 2 * ROUNDS * EVERY;
    time = start;
    const truth = new Map<number, number>();
    const newestArrived = new Map<number, number>();
    let late = 0;
    for (let round = 0; round < ROUNDS; round++)
      for (let n = 0; n < ITEMS; n++) {
        const at = start + round * EVERY + n * 1000;
        const cents = 1100 + random.int(500);
        truth.set(n, cents);
        // Only the marketplace knows the content of the first article's last message.
        if (random.chance(0.02) || (n === 0 && round === ROUNDS - 1)) continue;
        newestArrived.set(n, cents);
        const message = {
          ...world.message(n, { K1: cents / 100 }, new Date(at)),
          NotificationMetadata: { NotificationId: `${n}/${round}` },
        };
        const delay = () => (random.chance(0.1) ? random.int(10 * MINUTE) : 0);
        const delays = random.chance(0.1) ? [delay(), random.int(10 * MINUTE)] : [delay()];
        late += delays.filter((ms) => ms > EVERY).length;
        for (const ms of delays) queue.put(message, at + ms);
      }
    queue.put(orderMessage(7, { at: new Date(start), order: 'O-1' }), start);
    expect(late).toBeGreaterThan(20);
    const sent = queue.waiting();

    let broken = true;
    const egress = new Egress({ allowLoopback: false, own: new Set([queue.origin]) });
    const account = { marketplace: 'M1', sellerId: 'WIR', currency: 'EUR', clientId: '', clientSecret: '' };
    const access = { url: queue.url, keyId: 'AKIATEST', secret: 'geheim' };
    const { messages } = amazonConnector(
      { egress, clock: world.clock },
      { ...account, refreshToken: '', apiUrl: queue.origin, tokenUrl: queue.origin, queue: access },
    );
    if (messages === undefined) throw new Error('no mailbox');
    const deps = {
      ...world.deps,
      open: async () => ({ ...world.market.connector, messages }),
      // The order handler fails the first time: its messages must be delivered again.
      onOrders: async () => {
        if (!broken) return;
        broken = false;
        throw new Error('not now');
      },
    };
    const receiver = new Receiver(deps);
    const emptied = () =>
      expect
        .poll(
          async () => {
            // After a failure the receiver pauses a mailbox for half a minute.
            world.later(1);
            await receiver.turn();
            return queue.visible();
          },
          { timeout: 60_000 },
        )
        .toBe(0);
    for (; time < start + ROUNDS * EVERY + 12 * MINUTE; time += EVERY) await emptied();
    // Until it is empty: after a failed deletion a message becomes visible again.
    await expect
      .poll(
        async () => {
          time += 61_000;
          world.later(31);
          await receiver.turn();
          return queue.waiting();
        },
        { timeout: 60_000, interval: 300 },
      )
      .toBe(0);
    await receiver.close();
    expect(broken).toBe(false);
    expect(queue.counts.deleted).toBe(sent);
    expect(queue.counts.again).toBeGreaterThan(10);

    expect(await known()).toEqual(newestArrived);
    expect(newestArrived).not.toEqual(truth);
    const sales = await world.inside((trx) => trx.selectFrom('item_sales').select('order_id').execute());
    expect(sales.map(({ order_id: id }) => id)).toEqual(['O-1']);

    for (const [n, cents] of truth) world.market.rivals.set(`S${n}`, cents / 100);
    await pollOffers({ ...deps, plans: new PollingPlans() });
    expect(await known()).toEqual(truth);
  });
});
