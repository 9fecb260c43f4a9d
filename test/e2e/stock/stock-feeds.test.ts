import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import type { SendDeps } from '#orders/stock/send-stock.ts';
import { feedStock } from '#orders/stock/feed-stock.ts';
import { sendStock } from '#orders/stock/send-stock.ts';
import { makeOrderWorld, type OrderWorld } from '../../stages/orders/order-world.ts';

const skus = Array.from({ length: 20 }, (_, n) => `S${n + 1}`);

describe('many stock numbers at once', () => {
  let world: OrderWorld;
  let deps: SendDeps;
  let emptied = '';
  beforeAll(async () => {
    world = await makeOrderWorld();
    const { stockFeed } = world.port;
    if (stockFeed === undefined) throw new Error('no feed');
    // A low limit, so that few updates need a feed.
    const orders = { ...world.port, support: world.port.support, stockFeed: { ...stockFeed, above: 4 } };
    deps = { ...world.deps, open: async () => ({ ...world.connector, orders }) };
    const { company } = world;
    const now = world.clock.now();
    await world.inside(async (trx) => {
      await trx.insertInto('masters').values({ company, id: 'm', name: 'Katalog' }).execute();
      await trx.insertInto('stock_states').values({ company, master: 'm', source_at: now, computed_at: now }).execute();
      await trx
        .insertInto('stock_offers')
        .values(
          skus.map((sku) => ({
            company,
            master: 'm',
            item: sku,
            channel: world.account.id,
            account: true,
            sku,
            offered: 100,
            shown: 200,
            changed_at: now,
            not_before: now,
          })),
        )
        .execute();
    });
  });
  afterAll(() => world.close());

  const article = (sku: string) => world.sandbox.world.articles.get(sku);
  const change = (sku: string, set: { offered?: number; shown?: number; sku?: string }) =>
    world.inside((trx) => trx.updateTable('stock_offers').set(set).where('item', '=', sku).execute());
  const rows = () =>
    world.inside((trx) =>
      trx
        .selectFrom('stock_offers')
        .select(['item', 'offered', 'shown', 'state', 'fed', 'message'])
        .orderBy('item')
        .execute(),
    );
  const submissions = () =>
    world.inside((trx) => trx.selectFrom('stock_feeds').select(['state', 'reference']).execute());
  const fed = async () => (await rows()).filter((row) => row.fed !== null).map(({ item }) => item);
  const calls = (name: string) => world.sandbox.counters.calls[name] ?? 0;

  it('OIM-02 the most urgent numbers are sent one by one, the others as one feed without small numbers', async () => {
    await change('S3', { offered: 3 });
    await change('S4', { offered: 0 });
    await change('S5', { sku: 'gibt es nicht' });
    expect(await feedStock(deps)).toBe(15);
    expect([calls('createFeed'), (await fed()).length, await submissions()]).toMatchObject([
      1,
      15,
      [{ state: 'submitted' }],
    ]);
    expect(await fed()).not.toContain('S3');
    expect(await fed()).not.toContain('S4');
    for (let turn = 0; turn < 10; turn++) {
      await sendStock(deps);
      await feedStock(deps);
      world.pass(2);
    }
    // Neither a second feed nor a patch of what the first contains.
    expect([calls('createFeed'), calls('patchListingsItem')]).toEqual([1, 5]);
    expect([article('S3')?.listed, article('S4')?.listed]).toEqual([3, 0]);
  });

  it('OIM-02 a number falling to 0 during a feed is sent at once, and again after the feed', async () => {
    const [first = ''] = await fed();
    emptied = first;
    await change(first, { offered: 0 });
    await sendStock(deps);
    expect(article(first)?.listed).toBe(0);
    world.pass(600);
    expect(await feedStock(deps)).toBe(15);
    expect(await submissions()).toEqual([]);
    expect(article(first)?.listed).toBe(100);
    world.pass(1);
    await sendStock(deps);
    expect(article(first)?.listed).toBe(0);
    const refused = (await rows()).filter(({ state }) => state === 'refused');
    expect(refused.map(({ item, message }) => [item, message !== ''])).toEqual([['S5', true]]);
    expect(
      (await rows()).filter(({ item }) => item !== 'S5' && item !== first).every((row) => row.shown === row.offered),
    ).toBe(true);
  });

  it('OIM-02 a feed without an answer is not repeated before its end; then its effect is read back', async () => {
    const changed = skus.slice(5).filter((sku) => sku !== emptied);
    for (const sku of changed) await change(sku, { offered: 50, shown: 60 });
    world.pass(3600);
    world.sandbox.setFaults({ cutAfter: 1 }, ['createFeed']);
    await feedStock(deps);
    world.sandbox.setFaults({});
    expect(await submissions()).toEqual([{ state: 'unknown', reference: '' }]);
    const before = calls('createFeed');
    for (let turn = 0; turn < 4; turn++) {
      world.pass(61);
      await feedStock(deps);
    }
    expect([calls('createFeed'), (await submissions()).length]).toEqual([before, 1]);
    world.pass(1200);
    await feedStock(deps);
    expect(await submissions()).toEqual([]);
    const patches = calls('patchListingsItem');
    for (let turn = 0; turn < 20; turn++) {
      await world.poll();
      world.pass(180);
      await sendStock(deps);
    }
    // The marketplace shows the numbers already: only the four single updates, and the refused one, had to be sent.
    expect(calls('patchListingsItem') - patches).toBeLessThan(8);
    const there = (await rows()).filter(({ item }) => changed.includes(item));
    expect(there.filter((row) => row.state !== 'accepted' || row.shown !== 50)).toEqual([]);
    expect(calls('createFeed')).toBe(before);
  });

  it('F13 an account whose marketplace does not answer delays the stock of no other', async () => {
    const slow = { ...world.account, id: 'andere', name: 'Langsam' };
    await world.inside((trx) => saveAccount(trx, slow));
    await world.inside((trx) =>
      trx
        .insertInto('stock_offers')
        .columns([
          'company',
          'master',
          'item',
          'channel',
          'account',
          'sku',
          'offered',
          'shown',
          'changed_at',
          'not_before',
        ])
        .expression((eb) =>
          eb
            .selectFrom('stock_offers')
            .select(['company', 'master', 'item', eb.val(slow.id).as('channel'), 'account', 'sku'])
            .select(['offered', 'shown', 'changed_at', 'not_before']),
        )
        .execute(),
    );
    for (const sku of skus) await change(sku, { offered: 40, shown: 200 });
    world.pass(24 * 3600);
    const answer = Promise.withResolvers<undefined>();
    const open = ({ id }: { id: string }) => (id === slow.id ? answer.promise : deps.open(world.account));
    for (const serve of [sendStock, feedStock]) {
      const turns = new SideBySide(1000);
      expect(await serve({ ...deps, open }, turns)).toBeGreaterThan(0);
      expect(turns.served).toEqual([`${world.company}/${slow.id}`]);
    }
    answer.resolve(undefined);
  });
});
