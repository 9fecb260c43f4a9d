import { z } from 'zod';
import type { ActionAnswer, ChannelOrder, Evidence, OrderAction, OrderPort } from '#marketplaces/orders-port.ts';
import type { Ask } from './connector.ts';
import { RATE } from './market.ts';

const Order = z.object({
  number: z.string(),
  bought: z.coerce.date(),
  changed: z.coerce.date(),
  ownDelivery: z.boolean(),
  isPaid: z.boolean(),
  lines: z.array(
    z.object({
      id: z.string(),
      sku: z.string(),
      ordered: z.number(),
      shipped: z.number(),
      cancelled: z.number(),
      cents: z.number().nullable(),
    }),
  ),
  person: z.object({ name: z.string(), street: z.string(), town: z.string() }).nullable(),
});
const Done = z.object({ refused: z.string().optional() });
const Stocked = z.array(z.object({ sku: z.string(), refused: z.string().optional() }));

const refusals: Readonly<Record<string, string>> = {
  order: 'Diese Bestellung gibt es im Kleinmarkt nicht.',
  delivery: 'Diese Bestellung versendet der Kleinmarkt selbst.',
  payment: 'Diese Bestellung ist noch nicht bezahlt.',
  line: 'Diese Position gibt es in der Bestellung nicht.',
  pieces: 'So viele Stücke sind nicht mehr offen.',
  shipped: 'Die Position ist schon versandt.',
};
const REASONS = ['nicht lieferbar'];

function orderOf(found: z.infer<typeof Order>, currency: string): ChannelOrder {
  const { number, bought, changed, ownDelivery, isPaid, lines, person } = found;
  const nobody = { company: '', postalCode: '', region: '', country: '', email: '', phone: '' };
  return {
    order: number,
    placedAt: bought,
    changedAt: changed,
    rawState: isPaid ? 'bezahlt' : 'offen',
    pending: !isPaid,
    hold: 'none',
    fulfilledBy: ownDelivery ? 'marketplace' : 'merchant',
    confirmable: !ownDelivery,
    currency,
    country: '',
    taxScheme: '',
    programs: [],
    buyerOrderNumber: '',
    replaces: '',
    complete: true,
    lines: lines.map(({ id, sku, ordered, shipped, cancelled, cents }) => ({
      line: id,
      sku,
      title: '',
      productId: sku,
      ordered,
      shipped,
      cancelled,
      unitCents: cents,
      discountCents: 0,
      shippingCents: 0,
      taxRate: null,
    })),
    persons:
      person === null
        ? undefined
        : { delivery: { ...nobody, name: person.name, lines: [person.street], city: person.town } },
  };
}

/**
 * Returns the port to the tiny market's orders. It shows no parcels, so reading back only tells whether the pieces are still
 * open.
 */
export function tinyOrders(ask: Ask, currency: string): OrderPort {
  const find = async (order: string, signal: AbortSignal | undefined) => {
    const answer = z.object({ order: Order.nullable() });
    const found = await ask({ method: 'POST', path: '/orders/find', body: { order }, signal }, answer);
    return found.order === null ? undefined : orderOf(found.order, currency);
  };
  const change = async (path: string, body: unknown, signal: AbortSignal | undefined): Promise<ActionAnswer> => {
    const { refused } = await ask({ method: 'POST', path, body, write: true, signal }, Done);
    const issues = refused === undefined ? [] : [{ code: refused, message: refusals[refused] ?? refused }];
    return { state: refused === undefined ? 'done' : 'refused', reference: '', issues };
  };
  return {
    support: {
      actions: {
        ship: { reasons: [], readBack: 'state', repeat: 'after_reading', asynchronous: false },
        cancel: { reasons: REASONS, readBack: 'state', repeat: 'after_reading', asynchronous: false },
      },
      cancelScope: 'line',
      partialShip: true,
      returnTracking: 'ignored',
      carriers: ['DHL'],
      otherCarriers: false,
      rates: { changes: RATE, order: RATE, act: RATE, stock: RATE },
      stockBatch: 10,
    },
    changes: async (since, _cursor, signal) => {
      const body = { since: since.getTime() };
      const found = await ask({ method: 'POST', path: '/orders/changed', body, signal }, z.array(Order));
      const orders = found.map((one) => orderOf(one, currency));
      return { orders, asOf: orders.map(({ changedAt }) => changedAt).at(-1) ?? since };
    },
    order: find,
    act: async (action, signal) => {
      if (action.kind === 'ship') {
        const pieces = action.lines.map(({ line, quantity }) => ({ line, count: quantity }));
        const { order, carrier, tracking: number } = action;
        return {
          ...(await change('/orders/ship', { order, carrier, number, pieces }, signal)),
          reference: action.reference,
        };
      }
      if (action.kind !== 'cancel' || !REASONS.includes(action.reason))
        return {
          state: 'refused',
          reference: '',
          issues: [{ code: 'reason', message: 'Unbekannter Grund.', field: 'reason' }],
        };
      return change('/orders/cancel', { order: action.order, line: action.line }, signal);
    },
    readBack: async (action, { reference }, signal) => {
      const order = await find(action.order, signal);
      return { state: stateIn(order, action), reference, issues: [] };
    },
    setStock: async (updates, signal) => {
      const body = updates.map(({ sku, quantity }) => ({ sku, pieces: quantity }));
      const answers = await ask({ method: 'POST', path: '/stock', body, write: true, signal }, Stocked);
      return answers.map(({ sku, refused }) =>
        refused === undefined
          ? { sku, state: 'ACCEPTED', issues: [] }
          : { sku, state: 'INVALID', issues: [{ code: refused, message: 'Unbekannter Artikel.', field: 'sku' }] },
      );
    },
    readStock: async (skus, signal) => {
      const shown = await ask(
        { method: 'POST', path: '/stock/shown', body: skus, signal },
        z.array(z.number().nullable()),
      );
      return skus.map((sku, n) => ({ sku, quantity: shown[n] ?? null }));
    },
  };
}

function stateIn(order: ChannelOrder | undefined, action: OrderAction): Evidence['state'] {
  if (order === undefined) return 'unclear';
  const line = (id: string) => order.lines.find((one) => one.line === id);
  if (action.kind === 'ship')
    return action.lines.every((one) => (line(one.line)?.shipped ?? 0) >= one.quantity) ? 'done' : 'absent';
  if (action.kind !== 'cancel') return 'unclear';
  return (line(action.line)?.cancelled ?? 0) > 0 ? 'done' : 'absent';
}
