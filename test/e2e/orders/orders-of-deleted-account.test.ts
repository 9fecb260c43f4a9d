import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import { endStrandedActions } from '#orders/actions/end-actions.ts';
import { requestAction, type WantedAction } from '#orders/actions/request-action.ts';
import { orderDifferences } from '#orders/audit/check-orders.ts';
import { takeOrders } from '#orders/intake/take-orders.ts';
import { line, said } from '#orders/model/merge-order-fixture.ts';
import { goneSupport } from '#orders/model/possible.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const now = () => new Date();
const placed = new Date(Date.now() - 3_600_000);

const order = (id: string, more: Partial<ChannelOrder> = {}): ChannelOrder =>
  said(0, [line({ sku: 'A-1' })], { order: id, placedAt: placed, changedAt: placed, shipBy: placed, ...more });

describe('orders of an account that is deleted', () => {
  let kontor: TestKontor;
  let company: string;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    company = (await kontor.ask(api.session)).company.id;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    const body = { name: 'Konto Nord', sellerId: 'WIR', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    channel = (await kontor.ask(api.createMarketplaceAccount, { body })).id;
    const orders = [
      order('O-1'),
      order('O-2', { pending: true }),
      order('O-3', { fulfilledBy: 'marketplace', confirmable: false }),
      order('O-4', { hold: 'fraud' }),
    ];
    const incoming = {
      channel,
      channelName: 'Konto Nord',
      source: 'marketplace',
      by: 'poll',
      author: '',
      orders,
    } as const;
    await inside((trx) => takeOrders(trx, { ids: randomIds, vault: new Vault('test') }, company, incoming, now()));
  });
  afterAll(() => kontor.close());

  const inside = <T>(work: (trx: Trx) => Promise<T>) => kontor.database.company(company, work);
  const ask = (id: string, wanted: WantedAction, of = channel) =>
    inside((trx) =>
      requestAction(
        trx,
        randomIds,
        {
          company,
          channel: of,
          order: id,
          author: 'Test',
          formKey: undefined,
          support: goneSupport,
          remote: true,
          now: now(),
        },
        wanted,
      ),
    );
  const pieces = (kind: 'cancel' | 'return', quantity: number) =>
    ({ kind, line: '1', quantity, reason: 'NoInventory' }) as const;
  const parcel = {
    kind: 'ship',
    lines: [{ line: '1', quantity: 1 }],
    carrier: 'DHL',
    tracking: 'J1',
    returnTracking: '',
  } as const;
  const stands = (id: string, state: 'submitted' | 'new', sends: number) =>
    inside((trx) => trx.updateTable('order_actions').set({ state, sends }).where('id', '=', id).execute());
  const one = (orderid: string) => kontor.ask(api.order, { params: { orderid } });
  const shipment = { quantity: 3, carrier: 'DHL', tracking: 'J2', returntracking: '' };

  it('OIM-02 its open orders are counted before the deletion, and pending actions end as refused or unclear', async () => {
    const { accounts } = await kontor.ask(api.marketplaceAccounts);
    expect(accounts).toMatchObject([{ id: channel, openOrders: 4 }]);
    await ask('O-1', parcel);
    await stands((await ask('O-1', pieces('cancel', 1))).id, 'submitted', 1);
    // Sent without an answer, and waiting to be sent again: it may have happened.
    await stands((await ask('O-1', pieces('cancel', 1))).id, 'new', 1);
    await kontor.ask(api.deleteMarketplaceAccount, { params: { id: channel } });
    const { actions, order: row, channel_gone } = await one('O-1');
    expect(actions.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      'cancel unclear',
      'cancel unclear',
      'ship refused',
    ]);
    for (const { message } of actions) expect(message).toMatch(/[dD]as Konto beim Marktplatz wurde gelöscht/);
    expect([row.unclear, row.lines[0]?.open, row.channel_name, channel_gone]).toEqual([2, 1, 'Konto Nord', true]);
  });

  it('OIM-02 OIM-03 can be completed: actions are recorded here, and the answer says that no channel is informed', async () => {
    const { actions } = await one('O-1');
    for (const { id } of actions.filter(({ state }) => state === 'unclear'))
      await kontor.ask(api.resolveAction, {
        params: { id },
        body: { outcome: 'not_done', reason: 'dort nachgesehen' },
      });
    for (const orderid of ['O-1', 'O-2', 'O-4']) {
      const answer = await kontor.ask(api.fulfillItem, { params: { orderid, productid: '1' }, body: shipment });
      expect([answer.state, answer.success]).toEqual(['done', expect.stringContaining('Der Kanal ist gelöscht')]);
    }
    const cancelled = { orderid: 'O-3', productid: '1', quantity: 3, reason: 'BuyerCanceled' };
    await kontor.ask(api.cancelItem, { params: cancelled, body: {} });
    expect(await kontor.ask(api.orderCounters)).toMatchObject({ open: 0, due: 0, overdue: 0, unclear: 0 });
    expect([...(await inside((trx) => orderDifferences(trx, company, now()))).keys()]).toEqual([]);
  });

  it('OIM-01 no new orders are accepted for it', async () => {
    const orders = [
      { orderid: 'N-1', placed_at: placed.toISOString(), lines: [{ productid: '1', sku: 'A', ordered: 1 }] },
    ];
    const answer = await kontor.raw(api.createOrders.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ channel, orders }),
    });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Diesen Kanal gibt es nicht')]);
  });

  it('OIM-02 an action requested while its account was deleted ends at night', async () => {
    await inside((trx) =>
      takeOrders(
        trx,
        { ids: randomIds, vault: new Vault('test') },
        company,
        { channel: 'weg', channelName: 'Weg', source: 'marketplace', by: 'poll', author: '', orders: [order('O-9')] },
        now(),
      ),
    );
    await ask('O-9', parcel, 'weg');
    await endStrandedActions({ database: kontor.database, clock: { now } }, company);
    const { actions, order: row } = await one('O-9');
    expect([actions[0]?.state, row.lines[0]?.open]).toEqual(['refused', 3]);
  });
});
