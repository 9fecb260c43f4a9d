import type { ChannelLine, ChannelOrder, ChannelShipment, Person } from '#marketplaces/orders-port.ts';
import { catalogueCents } from './catalogue.ts';
import { seeded, type Random } from './random.ts';

const DAY = 24 * 60 * 60_000;
const HOUR = DAY / 24;
/** Age of the oldest order in days. */
export const ORDER_DAYS = 90;

const carriers = ['DHL', 'DPD', 'Hermes', 'GLS'] as const;
/** Name, street, postal code and town of fictitious buyers. */
export const people = [
  ['Erika Beispiel', 'Lindenallee 12', '24103', 'Kiel'],
  ['Jonas Muster', 'Am Hafen 3', '20457', 'Hamburg'],
  ['Familie Probst', 'Schulstraße 8a', '04109', 'Leipzig'],
  ['Aylin Demirtest', 'Ringweg 41', '50667', 'Köln'],
  ['Karl-Heinz Vorlage', 'Dorfstraße 1', '87435', 'Kempten'],
  ['Praxis Dr. Musterfrau', 'Marktplatz 5', '70173', 'Stuttgart'],
] as const;

type Ware = ReturnType<typeof catalogueCents>[number];

/** Returns the articles that sell: the first items of the catalogue, earlier ones more often. */
const wares = (): Ware[] => catalogueCents(300).filter(({ cents }) => cents < 100_000);

/** Yields orders of 90 days at a marketplace, all of them finished: open ones would have to be in the sandbox's order book. */
export function* marketOrders(now: Date): Generator<ChannelOrder> {
  yield* pastOrders({ prefix: '305', perDay: 9, seed: 305, newest: 1 }, now);
}

/**
 * Yields orders of 90 days in the merchant's own shop, the newest still to be shipped: some today, one overdue, one that its
 * buyer wants to cancel.
 */
export function* shopOrders(now: Date): Generator<ChannelOrder> {
  yield* pastOrders({ prefix: 'NK', perDay: 4, seed: 41, newest: 2 }, now);
  const random = seeded(42);
  const some = wares();
  const today = endOfWork(now);
  const due: (readonly [hoursAgo: number, shipBy: Date, hold?: 'cancel_requested'])[] = [
    [50, new Date(today.getTime() - DAY)],
    [26, today],
    [22, today],
    [20, today, 'cancel_requested'],
    [9, new Date(today.getTime() + DAY)],
    [5, new Date(today.getTime() + DAY)],
    [2, new Date(today.getTime() + 2 * DAY)],
    [1, new Date(today.getTime() + 2 * DAY)],
  ];
  for (const [index, [hoursAgo, shipBy, hold = 'none']] of due.entries()) {
    const order = orderOf(random, some, {
      order: `NK-OFFEN-${index + 1}`,
      placedAt: new Date(now.getTime() - hoursAgo * HOUR),
    });
    const [name = '', street = '', postalCode = '', city = ''] = people[index % people.length] ?? [];
    const delivery: Person = { ...nobody, name, lines: [street], postalCode, city, country: 'DE' };
    yield { ...order, hold, shipBy, persons: { buyer: delivery, delivery } };
  }
}

const nobody: Person = {
  name: '',
  company: '',
  lines: [],
  postalCode: '',
  city: '',
  region: '',
  country: '',
  email: '',
  phone: '',
};

/** Returns four in the afternoon in Berlin, or an hour from now if that has passed. */
function endOfWork(now: Date): Date {
  const afternoon = new Date(now);
  afternoon.setUTCHours(15, 0, 0, 0);
  return new Date(Math.max(afternoon.getTime(), now.getTime() + HOUR));
}

type Past = { prefix: string; perDay: number; seed: number; /** Age of the newest order in days. */ newest: number };

/** Yields shipped or cancelled orders: more of them on Sundays and towards the end, as a shop grows. */
function* pastOrders({ prefix, perDay, seed, newest }: Past, now: Date): Generator<ChannelOrder> {
  const random = seeded(seed);
  const some = wares();
  let number = 0;
  for (let ago = ORDER_DAYS; ago >= newest; ago--) {
    const start = now.getTime() - ago * DAY;
    const weekday = new Date(start).getUTCDay();
    const rush = (weekday === 0 ? 1.4 : weekday === 6 ? 0.7 : 1) * (0.8 + (ORDER_DAYS - ago) / 150);
    const count = Math.round(perDay * rush * (0.7 + random.next() * 0.6));
    for (let n = 0; n < count; n++) {
      number += 1;
      const placedAt = new Date(start + random.int(DAY / 1000) * 1000 - DAY / 2);
      const order = `${prefix}-${String(1_000_000 + number * 37).slice(-7)}-${String(number).padStart(4, '0')}`;
      yield finished(random, orderOf(random, some, { order, placedAt }), now);
    }
  }
}

function orderOf(random: Random, some: readonly Ware[], made: Pick<ChannelOrder, 'order' | 'placedAt'>): ChannelOrder {
  const lines = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (_, index): ChannelLine => {
    // The square makes the first items sell most.
    const ware = some[Math.floor(random.next() ** 2 * some.length)] ?? some[0];
    return {
      line: `${made.order}-${index + 1}`,
      sku: ware?.sku ?? '',
      title: ware?.title ?? '',
      productId: '',
      ordered: random.chance(0.15) ? 2 : 1,
      shipped: 0,
      cancelled: 0,
      unitCents: ware?.cents ?? 1000,
      discountCents: 0,
      shippingCents: (ware?.cents ?? 0) > 5000 ? 0 : 490,
      taxRate: 1900,
    };
  });
  return {
    ...made,
    changedAt: made.placedAt,
    rawState: '',
    pending: false,
    hold: 'none',
    fulfilledBy: 'merchant',
    confirmable: true,
    currency: 'EUR',
    country: random.chance(0.9) ? 'DE' : 'AT',
    taxScheme: '',
    programs: [],
    buyerOrderNumber: '',
    replaces: '',
    complete: true,
    lines,
  };
}

/** Returns the order about a day later: three in a hundred are cancelled, all others shipped in one parcel. */
function finished(random: Random, order: ChannelOrder, now: Date): ChannelOrder {
  const after = order.placedAt.getTime() + DAY * (0.5 + random.next() * 0.8);
  const changedAt = new Date(Math.min(after, now.getTime()));
  if (random.chance(0.03))
    return { ...order, changedAt, lines: order.lines.map((line) => ({ ...line, cancelled: line.ordered })) };
  const shipment: ChannelShipment = {
    reference: '1',
    carrier: random.pick(carriers),
    tracking: `00340${String(random.int(900_000_000) + 100_000_000)}`,
    shippedAt: changedAt,
    state: 'shipped',
    lines: order.lines.map(({ line, ordered }) => ({ line, quantity: ordered })),
  };
  const lines = order.lines.map((line) => ({ ...line, shipped: line.ordered }));
  return { ...order, changedAt, lines, shipments: [shipment] };
}
