import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '#marketplaces/sandbox/sandbox.ts';
import { pg } from '#platform/db/pg.ts';
import { deleteAccountData } from '#repricer/control/delete-account-data.ts';
import { priceHeaderCounts } from '#repricer/control/header-counts.ts';
import { openAlarms, releaseItems } from '#repricer/sales/item-alarms.ts';
import { readMessage } from '#marketplaces/amazon/messages.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { Receiver } from '#repricer/intake/receive.ts';
import { takeMessages } from '#repricer/intake/messages.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { deleteSales } from '#repricer/sales/sales.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { listNotifications } from '#notifications/notifications.ts';
import { permissions } from '#shared/http/call.ts';
import { seeded } from '../../../seed/random.ts';
import { orderMessage, undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

describe('the sales alarm', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const rows = ['A-0', 'A-1', 'A-2'].map((item) => `${item};10,00;20,00;15,00`);
    world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), rows.length, [
      undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
    ]);
  });
  afterAll(() => world.close());

  const minutesAgo = (minutes: number) => new Date(world.clock.now().getTime() - minutes * 60_000);
  type More = { minutes?: number; changed?: number; cancelled?: boolean; n?: number };
  const bought = (order: string, { minutes = 0, changed = 0, cancelled = false, n = 0 }: More = {}) =>
    orderMessage(n, { order, at: minutesAgo(minutes), changed: minutesAgo(changed), cancelled });
  const take = (...messages: unknown[]) => takeMessages(world.deps, world.company, messages.map(readMessage));
  const alarms = async () => (await world.inside((trx) => openAlarms(trx, world.place))).alarms;
  const release = (ids: string[]) =>
    world.inside((trx) =>
      releaseItems(trx, world.place, ids, { by: 'Test', reason: 'Preis stimmt', now: world.clock.now() }),
    );
  const sent = async (n: number) => (await world.decided(n))?.sent;

  it('M4 a message that cannot be stored counts as unreadable, and the others are stored (T23)', async () => {
    const offers = (message: string, productId: string) => ({
      about: 'offers' as const,
      snapshot: { marketplace: 'M1', productId, condition: 'new', eventAt: world.clock.now(), message, offers: [] },
    });
    const taken = await takeMessages(world.deps, world.company, [
      offers('gut-1', 'B0'),
      offers('fremd\0', 'B1'),
      offers('gut-2', 'B2'),
      undefined,
    ]);
    expect(taken).toEqual({ taken: 2, twice: 0, old: 0, unknown: 0, future: 0, unreadable: 2 });
    // An error that is not the message's fault is thrown: the message is delivered again.
    const away = {
      ...world.deps,
      clock: {
        now: () => {
          throw new Error('away');
        },
      },
    };
    await expect(takeMessages(away, world.company, [offers('gut-3', 'B0')])).rejects.toThrow('away');
  });

  it('M4 a failure to receive messages is notified in plain words, without the database error', async () => {
    const open = () => Promise.reject(new Error('value too long for type character varying(40)'));
    const receiver = new Receiver({ ...world.deps, open });
    await receiver.turn();
    const told = () =>
      world.inside((trx) => listNotifications(trx, { company: world.company, permissions }, { offset: 0, limit: 1 }));
    await expect
      .poll(async () => (await told()).notifications[0]?.text)
      .toMatch(/^Kontor konnte sie nicht verarbeiten\. Kontor versucht es weiter\./);
    await receiver.close();
  });

  it('a mailbox is polled again a second after its first failure, then every 30 seconds', async () => {
    let [asked, time] = [0, world.clock.now().getTime()];
    const open = () => {
      asked++;
      return Promise.reject(new MarketplaceError('retryable', 'Die Warteschlange ist gestört.'));
    };
    const receiver = new Receiver({ ...world.deps, open, clock: { now: () => new Date(time) } });
    const askedAfter = async (seconds: number) => {
      time += seconds * 1000;
      await receiver.turn();
      // A mailbox is released a moment after it was polled.
      await wait(400);
      return asked;
    };
    expect(await askedAfter(0)).toBe(1);
    expect(await askedAfter(0.5)).toBe(1);
    expect(await askedAfter(1)).toBe(2);
    expect(await askedAfter(60)).toBe(3);
    expect(await askedAfter(20)).toBe(3);
    expect(await askedAfter(11)).toBe(4);
    await receiver.close();
  });

  it('REP-19 normal daily sales raise no alarm, a run on a bargain does', async () => {
    const item = { sku: 'S2', asin: 'B2', cents: 1500, minCents: 1000, maxCents: 2000 };
    const sandbox = await startSandbox({
      place: { marketplace: 'M1', sellerId: 'WIR', currency: 'EUR' },
      credentials: { clientId: '', clientSecret: '', refreshToken: '' },
      items: [item],
      clock: world.clock,
      chance: seeded(7),
      ordersPerHour: 2,
      faults: { bargainRun: 1, cancelled: 0.1, doubled: 0.1, delayed: 0.2, otherCase: 0.5 },
      liveAfterMs: [0, 0],
      deliver: async (messages) => void (await take(...messages)),
    });
    const pass = async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed += 5) {
        world.later(5 * 60);
        await sandbox.advance(0);
      }
    };
    /** Makes the program decide and send a price that buyers then see. */
    const undercut = async (cents: number) => {
      expect(await world.undercut(2, (cents + 1) / 100)).toBe(1);
      const article = sandbox.world.articles.get('S2');
      if (article !== undefined) sandbox.world.take(article, cents, world.clock.now().getTime());
    };
    await undercut(1450);
    await pass(12 * 60);
    await readBackDue(world.deps);
    expect(sandbox.counters.orders).toBeGreaterThan(15);
    expect(await alarms()).toEqual([]);
    await undercut(1099);
    await pass(15);
    await sandbox.close();
    expect(await alarms()).toMatchObject([{ item: 'A-2', price: 1099 }]);
    await release((await alarms()).map(({ id }) => id));
  });

  it('REP-19 orders count once in any message order, and no longer once they are cancelled', async () => {
    expect(await world.undercut(0, 13)).toBe(1);
    world.later(6 * 60);
    await readBackDue(world.deps);
    await world.receive(world.message(0, { K1: 12.9 }));
    await repriceDue(world.deps);
    expect(await take(bought('o5', { cancelled: true }))).toMatchObject({ taken: 1 });
    const again = [bought('o5', { changed: 1 }), bought('o1'), bought('o2'), bought('o2'), bought('o3')];
    expect(await take(...again)).toMatchObject({ taken: 3, twice: 2 });
    const strange = [bought('o6', { minutes: -30 }), bought('o7', { minutes: 45_000 }), bought('o8', { n: 999 }), {}];
    const counts = { taken: 1, twice: 0, future: 1, old: 1, unknown: 1, unreadable: 1 };
    expect(await take(...strange, bought('o4'))).toEqual(counts);
    expect([await alarms(), (await sent(0))?.state]).toEqual([[], 'new']);
  });

  it('REP-19 one order too many holds the item and its waiting prices, with a notification', async () => {
    await take(bought('o9'));
    const [alarm] = await alarms();
    expect(alarm).toMatchObject({ item: 'A-0', marketplace: 'M1', price: 1299 });
    expect(alarm?.details.replaceAll('\u00a0', ' ')).toBe(
      '5 Bestellungen in 15 Minuten, seit der Preis von 15,00 € auf 12,99 € sank; davor keine.',
    );
    expect(await sent(0)).toMatchObject({ state: 'held', held: 'SALES_ALARM' });
    // Counted in releases: one of them may stand for many held prices.
    const reader = { company: world.company, permissions: ['read'] } as const;
    expect(await world.inside((trx) => priceHeaderCounts(trx, reader))).toMatchObject([
      { label: 'Preisfreigaben', count: 1 },
    ]);
    const told = async () =>
      (
        await world.inside((trx) =>
          listNotifications(trx, { company: world.company, permissions }, { offset: 0, limit: 9 }),
        )
      ).notifications;
    const title = 'Wartet auf Freigabe: Verkaufsalarm bei Artikel A-0';
    expect((await told()).map((one) => one.title)).toContain(title);
    const before = (await told()).length;
    await take(bought('o10'), bought('o11', { n: 1 }));
    expect([(await alarms()).length, (await told()).length]).toEqual([1, before]);
    // A price decided before that reaches the outbox only now.
    await world.inside((trx) => pg`update price_submissions set state = 'new' where held = 'SALES_ALARM'`.execute(trx));
    expect([await submitDue(world.deps), await sent(0)]).toMatchObject([0, { state: 'held', held: 'SALES_ALARM' }]);
    await repriceDue(world.deps);
    expect(await world.decided(0)).toMatchObject({ cause: 'sales', verdict: 'hold', held: 'SALES_ALARM' });
    // The other item continues.
    expect(await world.undercut(1)).toBe(1);
  });

  it('REP-19 a release re-decides the item, and the same orders do not raise the alarm again', async () => {
    await expect(release(['x'])).rejects.toMatchObject({ status: 404 });
    await release((await alarms()).map(({ id }) => id));
    world.later(1);
    await take(bought('o12', { minutes: 1 }), bought('o13'));
    expect(await alarms()).toEqual([]);
    await repriceDue(world.deps);
    expect([await submitDue(world.deps), (await world.decided(0))?.cause]).toEqual([1, 'release']);
    const { rows } = await world.inside((trx) =>
      pg`select released_by, reason from item_alarms where item = 'A-0'`.execute(trx),
    );
    expect(rows).toEqual([{ released_by: 'Test', reason: 'Preis stimmt' }]);
  });

  it('REP-19 orders are stored for a month, and a deleted account loses its alarms', async () => {
    await take(...['p1', 'p2', 'p3', 'p4', 'p5'].map((order) => bought(order, { n: 1 })));
    expect(await alarms()).toMatchObject([{ item: 'A-1' }]);
    const left = async () =>
      Number(
        (await world.inside((trx) => pg<{ n: number }>`select count(*) as n from item_sales`.execute(trx))).rows[0]?.n,
      );
    const prune = (days: number) =>
      world.database.system((trx) => deleteSales(trx, new Date(world.clock.now().getTime() + days * 24 * 3_600_000)));
    await prune(29);
    expect(await left()).toBeGreaterThan(10);
    await prune(31);
    expect(await left()).toBe(0);
    const account = { company: world.company, masterid: world.masterid, id: 'konto', name: 'Test' };
    await world.inside((trx) => deleteAccountData(trx, account));
    expect(await alarms()).toEqual([]);
  });
});
