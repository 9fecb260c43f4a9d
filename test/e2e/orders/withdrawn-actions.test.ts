import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAction } from '#orders/actions/request-action.ts';
import { takeOrders } from '#orders/intake/take-orders.ts';
import { line, said } from '#orders/model/merge-order-fixture.ts';
import { goneSupport } from '#orders/model/possible.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

describe('a waiting action that a user withdraws', () => {
  let kontor: TestKontor;
  let channel: string;
  let company: string;
  const inside = <T>(work: (trx: Trx) => Promise<T>) => kontor.database.company(company, work);
  beforeAll(async () => {
    kontor = await testKontor();
    company = (await kontor.ask(api.session)).company.id;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    // Not active: nothing is sent meanwhile.
    const place = { name: 'Konto', sellerId: 'WIR', marketplace: 'A1PA6795UKMFR9' as const };
    channel = (await kontor.ask(api.createMarketplaceAccount, { body: { ...place, masterid } })).id;
  });
  afterAll(() => kontor.close());

  /** Withdraws a shipment that was sent so often; returns the answer's status, its state and message, and the pieces that it still reserves. */
  const withdrawn = async (id: string, sends: number) => {
    const now = new Date(Date.now() - 3_600_000);
    const order = said(0, [line({ sku: 'A-1', ordered: 1 })], { order: id, placedAt: now, changedAt: now });
    const incoming = { channel, channelName: 'Konto', source: 'marketplace', by: 'poll', author: '' } as const;
    const deps = { ids: randomIds, vault: new Vault('test') };
    await inside((trx) => takeOrders(trx, deps, company, { ...incoming, orders: [order] }, now));
    const context = { company, channel, order: id, author: 'Test', formKey: undefined, support: goneSupport, now };
    const action = await inside(async (trx) => {
      const parcel = { carrier: 'DHL', tracking: 'J1', returnTracking: '' };
      const wanted = { kind: 'ship', lines: 'open', ...parcel } as const;
      const made = await requestAction(trx, randomIds, { ...context, remote: true }, wanted);
      await trx.updateTable('order_actions').set({ sends }).where('id', '=', made.id).execute();
      return made.id;
    });
    const answer = await kontor.raw(pathOf(api.withdrawAction, { id: action }), { method: 'POST' });
    const found = await inside(async (trx) => {
      const ofAction = trx.selectFrom('order_actions').select(['state', 'message']).where('id', '=', action);
      const ofLine = trx.selectFrom('order_lines').select('ship_waiting').where('order_id', '=', id);
      return { ...(await ofAction.executeTakeFirstOrThrow()), ...(await ofLine.executeTakeFirstOrThrow()) };
    });
    return { status: answer.status, ...found };
  };

  it('OIM-02 releases its pieces if it was never sent', async () => {
    expect(await withdrawn('W-1', 0)).toEqual({
      status: 200,
      state: 'refused',
      message: 'Zurückgezogen, bevor etwas gesendet wurde.',
      ship_waiting: 0,
    });
  });

  it('OIM-02 cannot be withdrawn if it was sent without an answer, and keeps its pieces', async () => {
    expect(await withdrawn('W-2', 1)).toEqual({ status: 409, state: 'new', message: '', ship_waiting: 1 });
  });
});
