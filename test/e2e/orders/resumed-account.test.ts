import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAction } from '#orders/actions/request-action.ts';
import { firstPoll } from '#orders/intake/poll-walks.ts';
import { takeOrders } from '#orders/intake/take-orders.ts';
import { line, said } from '#orders/model/merge-order-fixture.ts';
import { goneSupport } from '#orders/model/possible.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

/** No marketplace is there. */
const nobody = { apiUrl: 'http://127.0.0.1:9', tokenUrl: 'http://127.0.0.1:9' };

describe('an account whose access was refused and is mended', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  it('REP-19 OIM-02 what waits to be sent is due as soon as the account is saved, if it is active', async () => {
    const company = (await kontor.ask(api.session)).company.id;
    const inside = <T>(work: (trx: Trx) => Promise<T>) => kontor.database.company(company, work);
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    const place = { name: 'Konto', sellerId: 'WIR', marketplace: 'A1PA6795UKMFR9' as const };
    const settings = { clientId: 'amzn1.test', clientSecret: 'geheim', refreshToken: 'Atzr|geheim', ...nobody };
    const { id: channel } = await kontor.ask(api.createMarketplaceAccount, { body: { ...place, masterid, settings } });
    const [placed, later] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 900_000)];
    const order = said(0, [line({ sku: 'A-1' })], { order: 'O-1', placedAt: placed, changedAt: placed, shipBy: later });
    const incoming = { channel, channelName: 'Konto', source: 'marketplace', by: 'poll', author: '' } as const;
    const deps = { ids: randomIds, vault: new Vault('test') };
    await inside((trx) => takeOrders(trx, deps, company, { ...incoming, orders: [order] }, placed));
    await inside((trx) =>
      requestAction(
        trx,
        randomIds,
        {
          company,
          channel,
          order: 'O-1',
          author: 'Test',
          formKey: undefined,
          support: goneSupport,
          remote: true,
          now: placed,
        },
        {
          kind: 'ship',
          lines: [{ line: '1', quantity: 1 }],
          carrier: 'DHL',
          tracking: 'J1',
          returnTracking: '',
        },
      ),
    );
    const waiting = { company, master: masterid, item: 'A-1', sku: 'A-1', not_before: later };
    await inside(async (trx) => {
      await trx.updateTable('order_actions').set({ not_before: later }).execute();
      const price = { price_cents: 900, min_cents: 500, max_cents: 1000, reached_min: false, currency: 'EUR' };
      const decided = {
        id: 'P-1',
        decision: 1,
        rule: 'R',
        limits_version: '',
        state: 'new',
        created_at: placed,
      } as const;
      await trx
        .insertInto('price_submissions')
        .values({ ...waiting, ...price, ...decided, account: channel, marketplace: place.marketplace })
        .execute();
      await trx
        .insertInto('stock_offers')
        .values({ ...waiting, channel, account: true, offered: 1, changed_at: placed, state: 'refused' })
        .execute();
    });
    const due = () =>
      inside(async (trx) =>
        Promise.all(
          (['order_actions', 'price_submissions', 'stock_offers'] as const).map(
            async (table) => (await trx.selectFrom(table).select('not_before').executeTakeFirstOrThrow()).not_before,
          ),
        ),
      );
    const save = (active: boolean) =>
      kontor.ask(api.saveMarketplaceAccount, { params: { id: channel }, body: { ...place, settings, active } });
    await save(false);
    expect(await due()).toEqual([later, later, later]);
    await save(true);
    // A worker may have tried already, and waits for some seconds since.
    for (const at of await due()) expect(at?.getTime()).toBeLessThan(later.getTime());
  });

  it('REP-19 OIM-02 prices, orders and polls that could not be read are due as soon as the account is saved', async () => {
    const company = (await kontor.ask(api.session)).company.id;
    const inside = <T>(work: (trx: Trx) => Promise<T>) => kontor.database.company(company, work);
    const masterid = await masterWith(kontor, 'sku;titel\nB-1;Säge', { key: 'sku' });
    const place = { name: 'Lesekonto', sellerId: 'WIR2', marketplace: 'A1PA6795UKMFR9' as const };
    const settings = { clientId: 'amzn1.test', clientSecret: 'geheim', refreshToken: 'Atzr|geheim' };
    const { id: channel } = await kontor.ask(api.createMarketplaceAccount, { body: { ...place, masterid, settings } });
    const [sent, later] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 900_000)];
    await inside(async (trx) => {
      const price = { price_cents: 900, min_cents: 500, max_cents: 1000, reached_min: false, currency: 'EUR' };
      const decided = { id: 'P-2', decision: 1, rule: 'R', limits_version: '', sends: 1, sent_at: sent } as const;
      const listing = { company, master: masterid, item: 'B-1', sku: 'B-1', account: channel };
      await trx
        .insertInto('price_submissions')
        .values({
          ...listing,
          ...price,
          ...decided,
          state: 'unknown',
          marketplace: place.marketplace,
          created_at: sent,
          not_before: later,
        })
        .execute();
      const hint = { company, channel, order_id: 'O-2', since: sent, not_before: later };
      await trx
        .insertInto('order_hints')
        .values({ ...hint, tries: 9 })
        .execute();
      const failed = { failed_since: sent, polled_at: later, back_since: sent, back_failed_since: sent };
      await trx
        .insertInto('order_polls')
        .values({ ...firstPoll(company, channel, sent), ...failed, back_not_before: later })
        .execute();
    });
    const due = () =>
      inside(async (trx) => {
        const price = trx.selectFrom('price_submissions').select('not_before').where('id', '=', 'P-2');
        const hint = trx.selectFrom('order_hints').select('not_before').where('channel', '=', channel);
        const poll = trx.selectFrom('order_polls').select(['polled_at', 'back_not_before']);
        const { polled_at, back_not_before } = await poll.where('channel', '=', channel).executeTakeFirstOrThrow();
        const waits = [await price.executeTakeFirstOrThrow(), await hint.executeTakeFirstOrThrow()];
        return [...waits.map((one) => one.not_before), polled_at, back_not_before];
      });
    const save = (active: boolean) =>
      kontor.ask(api.saveMarketplaceAccount, { params: { id: channel }, body: { ...place, settings, active } });
    await save(false);
    expect(await due()).toEqual([later, later, later, later]);
    await save(true);
    // A worker may have tried already, and waits for some seconds since.
    for (const at of await due()) expect(at?.getTime() ?? 0).toBeLessThan(later.getTime());
  });
});
