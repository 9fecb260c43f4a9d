import { afterEach, describe, expect, it } from 'vitest';
import { readOrderChange } from '#marketplaces/amazon/order-messages.ts';
import { path } from '#marketplaces/amazon/message-tree.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#marketplaces/sandbox/sandbox.ts';
import { seeded } from '../../../../seed/random.ts';
import { hasInputData, inputBytes, onlyWithInputData } from '../../../../test/stages/input-data.ts';
import { namesAPerson } from './persons.ts';

const credentials = { clientId: 'c', clientSecret: 's', refreshToken: 'r' };
const HOUR = 3600;

describe('orders in the sandbox', () => {
  let sandbox: Sandbox | undefined;
  afterEach(() => sandbox?.close());
  const messages: unknown[] = [];
  const begin = async (more: Partial<SandboxOptions> = {}) => {
    messages.length = 0;
    let at = Date.parse('2026-03-01T10:00:00Z');
    sandbox = await startSandbox({
      place: { marketplace: 'A1PA6795UKMFR9', sellerId: 'WIR', currency: 'EUR' },
      credentials,
      items: [1, 2, 3].map((n) => ({
        sku: `S${n}`,
        asin: `B${n}`,
        cents: 1500,
        minCents: 1000,
        maxCents: 2000,
        stock: 10,
      })),
      clock: { now: () => new Date(at) },
      chance: seeded(7),
      deliver: async (some) => void messages.push(...some),
      ...more,
    });
    return {
      ...sandbox,
      pass: async (seconds: number) => {
        at += seconds * 1000;
        await sandbox?.advance(0);
      },
      call: callsOf(sandbox),
    };
  };
  const told = () => messages.map((one) => path(one, 'Payload', 'OrderChangeNotification'));

  it('OIM-02 the same seed and clock give the same orders and persons, with the same events', async () => {
    const runs = [];
    for (let run = 0; run < 2; run++) {
      const faults = { pending: 0.4, asksToCancel: 0.3, cancelled: 0.2, byAmazon: 0.2, shipPlus: 0.2 };
      const { book, pass } = await begin({ ordersPerHour: 3, faults });
      for (let hour = 0; hour < 12; hour++) await pass(HOUR);
      const orders = [...book.orders.values()].map(({ chance: _chance, adjustments: _adjustments, ...order }) => order);
      runs.push(JSON.stringify([orders, messages]));
      await sandbox?.close();
    }
    expect(runs[0]).toBe(runs[1]);
    expect(runs[0]?.length).toBeGreaterThan(5000);
  });

  it('OIM-02 purchases reduce the quantity on sale; listing more than the stock is counted as overselling', async () => {
    const { book, world, counters } = await begin();
    const article = world.articles.get('S1');
    const bought = book.buy({ lines: [{ sku: 'S1', quantity: 7 }] });
    expect([article?.listed, counters.oversold]).toEqual([3, 0]);
    expect(book.buy({ lines: [{ sku: 'S1', quantity: 4 }] })).toBeUndefined();
    // A stock update that did not know of the order puts all pieces on sale again.
    if (article !== undefined) article.listed = 10;
    book.buy({ lines: [{ sku: 'S1', quantity: 5 }] });
    expect(counters.oversold).toBe(2);
    book.cancelAsBuyer(bought?.id ?? '');
    expect([article?.listed, article?.sold]).toEqual([12, 5]);
    book.buy({ lines: [{ sku: 'S1', quantity: 5 }] });
    expect(counters.oversold).toBe(2);
  });

  it('OIM-02 every change sends a message, also a cancellation request, without personal data of the buyer', async () => {
    const { book, pass, counters } = await begin();
    const lines = [
      { sku: 'S1', quantity: 2 },
      { sku: 'S2', quantity: 1 },
    ];
    const order = book.buy({ lines, pendingMinutes: 10 });
    const [line] = order?.lines ?? [];
    if (order === undefined || line === undefined) throw new Error('sold out');
    await pass(700);
    book.askToCancel(order.id, line.id, 'NO_LONGER_NEEDED');
    book.shipOnSite(order.id, '1', 'N1', [{ line: line.id, quantity: 2 }]);
    await pass(1);
    book.cancelAsBuyer(order.id);
    await pass(5 * 24 * HOUR);
    const states = told().map((one) => [path(one, 'OrderChangeType'), path(one, 'Summary', 'OrderStatus')]);
    expect(states).toEqual([
      ['OrderStatusChange', 'Pending'],
      ['OrderStatusChange', 'Unshipped'],
      ['BuyerRequestedChange', 'Unshipped'],
      ['OrderStatusChange', 'PartiallyShipped'],
      ['OrderStatusChange', 'Shipped'],
      ['OrderStatusChange', 'Shipped'],
    ]);
    const news = messages.map(readOrderChange);
    expect(news.map((one) => one?.lines.map(({ quantity }) => quantity))).toEqual([
      ...Array.from({ length: 4 }, () => [2, 1]),
      [2, 0],
      [2, 0],
    ]);
    expect(messages.filter((one) => namesAPerson(JSON.stringify(one)))).toEqual([]);
    expect(counters.cancelled).toBe(1);
  });

  it.skipIf(!hasInputData)(
    `OIM-02 messages have the members that the official schema requires (${onlyWithInputData})`,
    async () => {
      type Node = { properties?: Record<string, Node>; required?: string[]; items?: Node };
      const schema = JSON.parse(
        inputBytes('orders/spapi_schema_OrderChangeNotification.json').toString('utf8'),
      ) as Node;
      const missing = (node: Node | undefined, value: unknown, at: string): string[] => {
        if (Array.isArray(value)) return value.flatMap((one) => missing(node?.items, one, at));
        if (typeof value !== 'object' || value === null) return [];
        const members = new Map<string, unknown>(Object.entries(value));
        return [
          ...(node?.required ?? []).filter((name) => !members.has(name)).map((name) => `${at}.${name}`),
          ...[...members].flatMap(([name, inner]) => missing(node?.properties?.[name], inner, `${at}.${name}`)),
        ];
      };
      const { book, pass } = await begin();
      const order = book.buy({ lines: [{ sku: 'S1', quantity: 2 }] });
      book.askToCancel(order?.id ?? '', order?.lines[0]?.id ?? '', 'NO_LONGER_NEEDED');
      await pass(1);
      expect(messages).toHaveLength(2);
      expect(messages.flatMap((one) => missing(schema, one, '$'))).toEqual([]);
      expect(missing(schema, {}, '$').length).toBeGreaterThan(3);
    },
  );

  it('OIM-02 counts late parcels, repeated shipments of the same pieces, and requests that name a person', async () => {
    const { book, pass, counters, call } = await begin({ rateFactor: 10 });
    const order = book.buy({ lines: [{ sku: 'S1', quantity: 2 }], shipWithinHours: 1 });
    const [line] = order?.lines ?? [];
    const cut = book.buy({ lines: [{ sku: 'S1', quantity: 3 }] });
    const [some] = cut?.lines ?? [];
    const packageDetail = (reference: unknown, more: object = {}) => ({
      packageReferenceId: reference,
      carrierCode: 'DHL',
      trackingNumber: 'N1',
      shipDate: '2026-03-01T10:30:00Z',
      orderItems: [{ orderItemId: line?.id, quantity: 2 }],
      ...more,
    });
    const confirm = async (detail: object, marketplaceId = 'A1PA6795UKMFR9') =>
      (
        await call('POST', `/orders/v0/orders/${order?.id}/shipmentConfirmation`, {
          marketplaceId,
          packageDetail: detail,
        })
      ).status;
    const wrong = [
      packageDetail(1),
      packageDetail('UK-1'),
      packageDetail('1', { shipDate: '02/21/2022' }),
      packageDetail('1', { shipDate: '2027-02-21T00:00:00Z' }),
      packageDetail('1', { carrierCode: 'Other' }),
      packageDetail('1', { orderItems: { orderItemId: line?.id, quantity: 2 } }),
      packageDetail('1', { orderItems: [{ orderItemId: 'fremd', quantity: 1 }] }),
      packageDetail('1', { orderItems: [{ orderItemId: line?.id, quantity: 3 }] }),
    ];
    for (const detail of wrong) expect([detail, await confirm(detail)]).toEqual([detail, 400]);
    expect(await confirm(packageDetail('1'), 'ANDERSWO')).toBe(400);
    expect(counters).toMatchObject({ shipments: 0, shippedTwice: 0 });
    await pass(2 * HOUR);
    expect(await confirm(packageDetail('1'))).toBe(204);
    expect(await confirm(packageDetail('1', { trackingNumber: 'N2' }))).toBe(204);
    expect(await confirm(packageDetail('2'))).toBe(400);
    expect(counters).toMatchObject({ shipments: 1, edits: 1, late: 1, shippedTwice: 2, personsSent: 0 });
    // Two of three pieces were cancelled: a parcel with them is refused, but does not count as shipped twice.
    if (some !== undefined) some.cancelled = 2;
    const parcelOf = (reference: string, quantity: number) =>
      call('POST', `/orders/v0/orders/${cut?.id}/shipmentConfirmation`, {
        marketplaceId: 'A1PA6795UKMFR9',
        packageDetail: packageDetail(reference, { orderItems: [{ orderItemId: some?.id, quantity }] }),
      });
    expect((await parcelOf('1', 1)).status).toBe(204);
    expect((await parcelOf('2', 2)).status).toBe(400);
    expect(counters.shippedTwice).toBe(2);
    await confirm(packageDetail('2', { carrierCode: 'Other', carrierName: order?.person.name }));
    await call('GET', `/orders/2026-01-01/orders/${encodeURIComponent(order?.person.city ?? '')}`);
    expect(counters.personsSent).toBe(2);
  });
});

/** Calls the API with a token. */
const callsOf =
  (sandbox: Sandbox) =>
  async (method: string, where: string, body?: object): Promise<{ status: number; text: string }> => {
    const form = new URLSearchParams({
      client_id: 'c',
      client_secret: 's',
      grant_type: 'refresh_token',
      refresh_token: 'r',
    });
    const granted = (await (await fetch(sandbox.tokenUrl, { method: 'POST', body: form })).json()) as {
      access_token: string;
    };
    const answer = await fetch(`${sandbox.url}${where}`, {
      method,
      headers: { 'x-amz-access-token': granted.access_token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
