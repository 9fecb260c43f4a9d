import type { ChannelLine, ChannelOrder, ChannelShipment, Person } from '#marketplaces/orders-port.ts';
import { catalogueCents } from './catalogue.ts';
import { seeded, type Random } from './random.ts';

const DAY = 24 * 60 * 60_000;
const HOUR = DAY / 24;
/** How far back the orders reach. */
export const ORDER_DAYS = 90;

const carriers = ['DHL', 'DPD', 'Hermes', 'GLS'] as const;
/** Name, street, postal code and town of buyers who do not exist. */
export const people = [
  ['Erika Beispiel', 'Lindenallee 12', '24103', 'Kiel'],
  ['Jonas Muster', 'Am Hafen 3', '20457', 'Hamburg'],
  ['Familie Probst', 'Schulstraße 8a', '04109', 'Leipzig'],
  ['Aylin Demirtest', 'Ringweg 41', '50667', 'Köln'],
  ['Karl-Heinz Vorlage', 'Dorfstraße 1', '87435', 'Kempten'],
  ['Praxis Dr. Musterfrau', 'Marktplatz 5', '70173', 'Stuttgart'],
] as const;

type Ware = ReturnType<typeof catalogueCents>[number];

/** What sells: the first items of the catalogue, those before others more often. */
const wares = (): Ware[] => catalogueCents(300).filter(({ cents }) => cents < 100_000);

/** Orders of 90 days at a marketplace, all of them done: what is open there, its own order book would have to know. */
export function* marketOrders(now: Date): Generator<ChannelOrder> {
  yield* pastOrders({ prefix: '305', perDay: 9, seed: 305, newest: 1 }, now);
}

/** Orders of 90 days in the merchant's own shop, the newest still to be sent: some today, one overdue, one that its buyer wants to cancel. */
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

/** Four in the afternoon in Berlin, or a little more than an hour from now where that has passed. */
function endOfWork(now: Date): Date {
  const afternoon = new Date(now);
  afternoon.setUTCHours(15, 0, 0, 0);
  return new Date(Math.max(afternoon.getTime(), now.getTime() + HOUR));
}

type Past = { prefix: string; perDay: number; seed: number; /** Days ago of the newest. */ newest: number };

/** Sent or cancelled orders: more of them on Sundays and towards the end, as a shop grows. */
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

/** The order about a day later: three in a hundred cancelled, all others sent in one parcel. */
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
