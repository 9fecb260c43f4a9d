import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAction, type WantedAction } from '#orders/actions/request-action.ts';
import { finishAction, leaveUnclear, refuseAction } from '#orders/actions/settle-action.ts';
import { orderDifferences } from '#orders/audit/check-orders.ts';
import { fileSupport } from '#orders/model/possible.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const now = () => new Date();
type End = 'done' | 'refused' | 'unclear';

describe('refunds', () => {
  let kontor: TestKontor;
  let company: string;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    company = (await kontor.ask(api.session)).company.id;
    channel = await orderChannel(kontor, 'Laden');
  });
  afterAll(() => kontor.close());

  const inside = <T>(work: (trx: Trx) => Promise<T>) => kontor.database.company(company, work);
  /** Requests an action as at an asynchronous marketplace: it is in progress until `ends` sets its outcome. */
  const ask = (order: string, wanted: WantedAction, formKey?: string) =>
    inside((trx) =>
      requestAction(
        trx,
        randomIds,
        { company, channel, order, author: 'Test', formKey, support: fileSupport, remote: true, now: now() },
        wanted,
      ),
    );
  const ends = (id: string, end: End) =>
    inside(async (trx) => {
      const [ref, outcome] = [
        { company, id },
        { reference: '', message: end === 'refused' ? 'Das geht nicht.' : '', issues: [] },
      ];
      if (end === 'done') await finishAction(trx, randomIds, ref, outcome, now());
      else if (end === 'refused') await refuseAction(trx, ref, outcome, now());
      else await leaveUnclear(trx, ref, '', now());
    });
  const line = (order: string) => `${order}-1`;
  const ship = (order: string, quantity: number, tracking = 'JJD1') =>
    ({ kind: 'ship', lines: [{ line: line(order), quantity }], carrier: 'DHL', tracking, returnTracking: '' }) as const;
  const pieces = (kind: 'cancel' | 'return', order: string, quantity: number) =>
    ({ kind, line: line(order), quantity, reason: kind === 'return' ? 'no Reason' : 'NoInventory' }) as const;
  const refund = (order: string, cents: number) =>
    ({ kind: 'refund', line: line(order), cents, reason: 'Kratzer' }) as const;
  const details = (orderid: string) => kontor.ask(api.order, { params: { orderid } });
  const left = async (order: string) => (await details(order)).refundable[0]?.cents;
  /** Returns the cents that actions of these kinds promise to refund, or have refunded. */
  const cents = async (order: string) => {
    const rows = await inside((trx) =>
      trx
        .selectFrom('order_actions')
        .select(['kind', 'body'])
        .where('order_id', '=', order)
        .where('kind', '<>', 'ship')
        .where('state', 'not in', ['refused', 'superseded'])
        .orderBy('created_at')
        .execute(),
    );
    return rows.map(({ body }) => Number(JSON.parse(body).cents));
  };
  const bought = (orderid: string, ordered: number, more: object = {}) =>
    takeOrders(kontor, channel, [{ orderid, lines: [{ sku: 'A-1', ordered, unit_cents: 1000, ...more }] }]);

  it('OIM-03 a pending refund counts: only the remaining amount can be refunded in addition', async () => {
    await bought('R-1', 1);
    const first = await ask('R-1', refund('R-1', 600));
    expect(await left('R-1')).toBe(400);
    await expect(ask('R-1', refund('R-1', 401))).rejects.toThrow('höchstens noch 4,00\u00a0€');
    await ends(first.id, 'unclear');
    await expect(ask('R-1', refund('R-1', 401))).rejects.toThrow('höchstens noch 4,00\u00a0€');
    await ends(first.id, 'refused');
    expect(await left('R-1')).toBe(1000);
    expect((await details('R-1')).refund).toEqual({ possible: true, reason: '' });
    await ends((await ask('R-1', refund('R-1', 1000))).id, 'done');
    await expect(ask('R-1', refund('R-1', 1))).rejects.toThrow('nichts mehr zu erstatten');
    expect((await details('R-1')).refund).toEqual({ possible: false, reason: 'Es ist nichts mehr zu erstatten.' });
  });

  it('OIM-04 resubmitting a form after the marketplace refused it reports the refusal, not success', async () => {
    await bought('R-0', 1);
    const first = await ask('R-0', refund('R-0', 600), 'formular');
    expect(await ask('R-0', refund('R-0', 600), 'formular')).toEqual(first);
    await ends(first.id, 'refused');
    await expect(ask('R-0', refund('R-0', 600), 'formular')).rejects.toThrow(
      'Das erste Absenden hat nichts bewirkt (Erstattung von 6,00\u00a0€): Das geht nicht.',
    );
    expect((await ask('R-0', refund('R-0', 600), 'neues Formular')).state).toBe('new');
  });

  it('OIM-03 a return cannot pay what was refunded, nor a refund what a return paid back', async () => {
    await bought('R-2', 2, { shipping_cents: 490 });
    await ends((await ask('R-2', ship('R-2', 2))).id, 'done');
    await ask('R-2', pieces('return', 'R-2', 1));
    expect(await left('R-2')).toBe(1490);
    await ends((await ask('R-2', refund('R-2', 700))).id, 'done');
    await ask('R-2', pieces('return', 'R-2', 1));
    expect(await cents('R-2')).toEqual([1000, 700, 790]);
    await expect(ask('R-2', refund('R-2', 1))).rejects.toThrow('nichts mehr zu erstatten');
  });

  it('OIM-03 what a marketplace pays for a return is in the history, at the action and in the file of orders', async () => {
    await bought('R-21', 2, { shipping_cents: 490 });
    await ends((await ask('R-21', ship('R-21', 2))).id, 'done');
    await ends((await ask('R-21', refund('R-21', 150))).id, 'done');
    const { id } = await ask('R-21', pieces('return', 'R-21', 1));
    await inside((trx) => trx.updateTable('order_actions').set({ sends: 1 }).where('id', '=', id).execute());
    await ends(id, 'done');
    const { actions, events } = await details('R-21');
    expect(events[0]?.text).toBe('Erledigt: Retoure von einem Stück mit Erstattung von 10,00\u00a0€');
    expect(actions.find(({ kind }) => kind === 'return')?.cents).toBe(1000);
    const file = await (await kontor.raw(`${pathOf(api.ordersCsv)}?filter=alle&search=R-21`)).text();
    expect(file.split('\r\n')[1]).toMatch(/"4,90";"11,50";"EUR"$/);
  });

  it('OIM-03 cancelled pieces are not refunded, whether we or the channel cancelled them', async () => {
    await bought('R-3', 3, { shipping_cents: 490 });
    await ends((await ask('R-3', pieces('cancel', 'R-3', 1))).id, 'done');
    expect(await left('R-3')).toBe(2490);
    await bought('R-3', 3, { shipping_cents: 490, cancelled: 2 });
    expect(await left('R-3')).toBe(1490);
    await ask('R-3', pieces('cancel', 'R-3', 1));
    expect(await left('R-3')).toBe(0);
  });

  it('OIM-03 pieces returned one by one refund exactly the price of all of them', async () => {
    await bought('R-4', 3, { discount_cents: 100 });
    await ends((await ask('R-4', ship('R-4', 3))).id, 'done');
    for (let n = 0; n < 3; n++) await ask('R-4', pieces('return', 'R-4', 1));
    expect((await cents('R-4')).reduce((sum, one) => sum + one, 0)).toBe(2900);
  });

  it('OIM-03 a return without a known price is refused, because the marketplace would refund nothing', async () => {
    await bought('R-5', 1, { unit_cents: null });
    await ends((await ask('R-5', ship('R-5', 1))).id, 'done');
    await expect(ask('R-5', pieces('return', 'R-5', 1))).rejects.toThrow('noch nicht bekannt');
  });

  it('OIM-03 the same limits apply to the form of a channel fed by file', async () => {
    await bought('R-6', 1);
    const params = { orderid: 'R-6', productid: line('R-6') };
    const shipment = { quantity: 1, carrier: 'DHL', tracking: '1', returntracking: '' };
    await kontor.ask(api.fulfillItem, { params, body: shipment });
    await kontor.ask(api.returnItem, { params: { ...params, quantity: 1, reason: 'no Reason' }, body: {} });
    const answer = await kontor.raw(pathOf(api.refundItem, params), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cents: 1000, reason: 'Kratzer' }),
    });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('nichts mehr zu erstatten')]);
  });

  it('OIM-03 the same amount is refused while the first refund is pending or unclear; another amount is allowed', async () => {
    await bought('R-7', 1);
    const first = await ask('R-7', refund('R-7', 300));
    const refused = { status: 409, message: expect.stringContaining('Diese Erstattung ist schon unterwegs') };
    await expect(ask('R-7', refund('R-7', 300))).rejects.toMatchObject(refused);
    await ends(first.id, 'unclear');
    await expect(ask('R-7', refund('R-7', 300))).rejects.toMatchObject(refused);
    await ask('R-7', refund('R-7', 200));
    await ends(first.id, 'done');
    await ask('R-7', refund('R-7', 300));
    expect(await left('R-7')).toBe(200);
  });

  it('OIM-03 pieces and money freed by a refusal can be requested again, whatever later actions hold', async () => {
    await bought('R-8', 4);
    const first = await ask('R-8', pieces('cancel', 'R-8', 2));
    await ask('R-8', pieces('cancel', 'R-8', 1));
    await ends(first.id, 'refused');
    await ask('R-8', pieces('cancel', 'R-8', 1));
    // The third piece again, counted from the first.
    await ask('R-8', pieces('cancel', 'R-8', 1));
    await bought('R-9', 1);
    const refused = await ask('R-9', refund('R-9', 500));
    const done = await ask('R-9', refund('R-9', 300));
    await ends(refused.id, 'refused');
    await ends(done.id, 'done');
    await ask('R-9', refund('R-9', 200));
    // Another 3 € after the first 5 €.
    await ask('R-9', refund('R-9', 300));
    expect(await left('R-9')).toBe(200);
  });

  it('OIM-03 any sequence of requests and outcomes never returns more than was paid', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('ship', 'cancel', 'return'), quantity: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant('refund'), quantity: fc.integer({ min: 1, max: 2000 }) }),
      fc.record({ kind: fc.constantFrom<End>('done', 'refused', 'unclear'), quantity: fc.nat({ max: 5 }) }),
    );
    const priced = fc.record({
      ordered: fc.integer({ min: 1, max: 4 }),
      unit_cents: fc.integer({ min: 1, max: 1000 }),
      discount_cents: fc.integer({ min: 0, max: 200 }),
      shipping_cents: fc.constantFrom(0, 490),
    });
    let number = 0;
    const property = fc.asyncProperty(priced, fc.array(step, { maxLength: 14 }), async (price, steps) => {
      const order = `Z-${number++}`;
      const discount_cents = Math.min(price.discount_cents, price.unit_cents * price.ordered);
      await bought(order, price.ordered, { ...price, discount_cents });
      const paid = price.unit_cents * price.ordered - discount_cents + price.shipping_cents;
      const waiting: string[] = [];
      for (const { kind, quantity } of steps) {
        if (kind === 'done' || kind === 'refused' || kind === 'unclear') {
          const id = waiting[quantity % Math.max(1, waiting.length)];
          if (id !== undefined) await ends(id, kind);
          continue;
        }
        const wanted =
          kind === 'ship'
            ? ship(order, quantity)
            : kind === 'refund'
              ? refund(order, quantity)
              : pieces(kind === 'cancel' ? 'cancel' : 'return', order, quantity);
        const made = await ask(order, wanted).catch((error: unknown) => {
          if (!(error instanceof KontorError)) throw error;
          return undefined;
        });
        if (made !== undefined) waiting.push(made.id);
        const back = (await cents(order)).reduce((sum, one) => sum + one, 0);
        if (back > paid) throw new Error(`${back} of ${paid}`);
      }
    });
    await fc.assert(property, { numRuns: 40 });
    expect([...(await inside((trx) => orderDifferences(trx, company, now()))).keys()]).toEqual([]);
  });
});
