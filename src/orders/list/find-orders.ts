import { z } from 'zod';
import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';
import type { OrderCounters, OrderFilter } from '#shared/orders/schema.ts';
import { bareTracking, printedTracking } from '#shared/orders/tracking-number.ts';
import type { StoredOrder } from '#orders/model/order-record.ts';

/** Limit of counting and paging. */
export const MOST = 10_000;
/** Orders that a search may find for one article (the newest) or by the beginning of their number. */
const HITS = 2000;
const LAST_CHARACTER = '\u{10FFFF}';

export type OrderSearch = {
  filter: OrderFilter;
  search: string;
  channel: string | undefined;
  /** An item of a catalogue; undefined: any. */
  masterid?: string | undefined;
  item?: string | undefined;
  offset: number;
  limit: number;
};

const eb = expressionBuilder<{ o: Tables['orders'] }, 'o'>();
const open = eb.and([eb('o.open_pieces', '>', 0), eb('o.pending', '=', false)]);
const mine = eb.and([open, eb('o.fulfilled_by', '=', 'merchant')]);

/** Returns the condition of a filter. 'faellig': promised for today or earlier, in the merchant's zone. */
export function conditionOf(filter: OrderFilter, endOfToday: Date): Expression<SqlBool> {
  switch (filter) {
    case 'offen':
      return open;
    case 'faellig':
      return eb.and([mine, eb('o.ship_by', '<', endOfToday)]);
    case 'stornowunsch':
      return eb.and([
        eb('o.hold', '=', 'cancel_requested'),
        eb('o.wish_declined_at', 'is', null),
        eb('o.open_pieces', '>', 0),
      ]);
    case 'klaerung':
      return eb('o.unclear', '>', 0);
    case 'vorgemerkt':
      return eb('o.state', '=', 'pending');
    case 'versandt':
      return eb('o.state', '=', 'shipped');
    case 'storniert':
      return eb('o.state', '=', 'cancelled');
    case 'retourniert':
      return eb('o.returned_pieces', '>', 0);
    case 'alle':
      return eb.lit(true);
  }
}

const ofChannel = (channel: string | undefined): Expression<SqlBool> =>
  channel === undefined ? eb.lit(true) : eb('o.channel', '=', channel);

const isByDue = (filter: OrderFilter) => filter === 'offen' || filter === 'faellig';

/** Returns one page of orders and the total (at most MOST + 1); the due filters by due date, otherwise the newest first. */
export async function findOrders(
  trx: Trx,
  company: string,
  query: OrderSearch,
  endOfToday: Date,
): Promise<{ orders: StoredOrder[]; total: number }> {
  const { filter, search, channel, masterid, item, offset, limit } = query;
  const hits =
    item !== undefined && masterid !== undefined
      ? await ordersOfItem(trx, company, masterid, item)
      : search === ''
        ? undefined
        : await hitsOf(trx, company, query, endOfToday);
  if (hits !== undefined) return pageOfHits(trx, company, hits, query, endOfToday);
  const found = trx
    .selectFrom('orders as o')
    .where('o.company', '=', company)
    .where(conditionOf(filter, endOfToday))
    .where(ofChannel(channel));
  const orders = await (
    isByDue(filter)
      ? found.orderBy('o.ship_by', (order) => order.asc().nullsLast())
      : found.orderBy('o.placed_at', 'desc')
  )
    .orderBy('o.channel')
    .orderBy('o.order_id')
    .selectAll()
    .limit(limit)
    .offset(offset)
    .execute();
  const { n } = await trx
    .selectFrom(
      found
        .select('o.order_id')
        .limit(MOST + 1)
        .as('some'),
    )
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return { orders, total: n };
}

const OrderKey = z.object({ channel: z.string(), order_id: z.string() });
type OrderKey = z.infer<typeof OrderKey>;

/**
 * Returns a page of the orders that a search found. The inner limit forces a lookup of each by its key: PostgreSQL would
 * otherwise scan all orders by age until a page is full, which is slowest if the search found old ones.
 */
async function pageOfHits(
  trx: Trx,
  company: string,
  hits: readonly OrderKey[],
  { filter, channel, offset, limit }: OrderSearch,
  endOfToday: Date,
): Promise<{ orders: StoredOrder[]; total: number }> {
  const keys = [...new Map(hits.map((hit) => [keyText(hit), hit])).values()];
  if (keys.length === 0) return { orders: [], total: 0 };
  const order = isByDue(filter) ? pg`o.ship_by asc nulls last` : pg`o.placed_at desc`;
  const found = await pg`select o.channel, o.order_id
    from unnest(${keys.map((key) => key.channel)}::text[], ${keys.map((key) => key.order_id)}::text[]) as h (channel, order_id)
      cross join lateral (select * from orders x
        where x.company = ${company} and x.channel = h.channel and x.order_id = h.order_id limit 1) o
    where ${conditionOf(filter, endOfToday)} and ${ofChannel(channel)}
    order by ${order}, o.channel, o.order_id`.execute(trx);
  const rows = OrderKey.array().parse(found.rows);
  const page = rows.slice(offset, offset + limit);
  const loaded = await trx
    .selectFrom('orders')
    .selectAll()
    .where('company', '=', company)
    .where('channel', '=', anyOf([...new Set(page.map((key) => key.channel))]))
    .where('order_id', '=', anyOf(page.map((key) => key.order_id)))
    .execute();
  const byKey = new Map(loaded.map((one) => [keyText(one), one]));
  return { orders: page.map((key) => byKey.get(keyText(key))).filter((one) => one !== undefined), total: rows.length };
}

const keyText = ({ channel, order_id }: OrderKey) => `${channel}\n${order_id}`;

/** Finds orders by the catalogue item of their lines; a line without one is matched by its article number. */
async function ordersOfItem(trx: Trx, company: string, master: string, item: string) {
  const lines = trx
    .selectFrom('order_lines')
    .select(['channel', 'order_id'])
    .where('company', '=', company)
    .orderBy('placed_at', 'desc')
    .limit(HITS);
  const found = await Promise.all([
    lines.where('master', '=', master).where('item', '=', item).execute(),
    lines.where('sku', '=', item).where('item', 'is', null).execute(),
  ]);
  return found.flat();
}

/** Finds orders by the beginning of their number, or by the buyer's number, an article number or a tracking number. */
async function hitsOf(
  trx: Trx,
  company: string,
  { search, filter, channel }: OrderSearch,
  endOfToday: Date,
): Promise<OrderKey[]> {
  const orders = trx
    .selectFrom('orders as o')
    .select(['o.channel', 'o.order_id'])
    .where('o.company', '=', company)
    // Many numbers begin alike: orders that the filter excludes must not use up the limit.
    .where(conditionOf(filter, endOfToday))
    .where(ofChannel(channel))
    .limit(HITS);
  const found = await Promise.all([
    // By bytes, not by LIKE: under row-level security PostgreSQL uses an index only with leakproof operators.
    orders
      .where('o.order_id', pg`~>=~`, search)
      .where('o.order_id', pg`~<~`, search + LAST_CHARACTER)
      // The highest numbers are the newest orders in most shops.
      .orderBy(pg`o.order_id using ~>~`)
      .execute(),
    orders.where('o.buyer_order_number', '=', search).execute(),
    trx
      .selectFrom('order_lines')
      .select(['channel', 'order_id'])
      .where((one) => one.and({ company, sku: search }))
      .orderBy('placed_at', 'desc')
      .limit(HITS)
      .execute(),
    trx
      .selectFrom('shipments')
      .select(['channel', 'order_id'])
      .where('company', '=', company)
      .where('tracking_key', '=', anyOf(trackingKeys(search)))
      .where('tracking_key', '<>', '')
      .limit(HITS)
      .execute(),
  ]);
  return found.flat();
}

/** The keys under which a number may be stored. Numbers that were stored earlier may have blanks, as typed or as usually printed. */
function trackingKeys(search: string): string[] {
  const bare = bareTracking(search);
  return [search, bare, ...printedTracking(bare)].map((number) => number.toUpperCase());
}

/** Returns how many orders need attention, each count at most MOST + 1. */
export async function countOrders(trx: Trx, company: string, now: Date, endOfToday: Date): Promise<OrderCounters> {
  const count = async (condition: Expression<SqlBool>): Promise<number> => {
    const some = trx
      .selectFrom('orders as o')
      .select('o.order_id')
      .where('o.company', '=', company)
      .where(condition)
      .limit(MOST + 1);
    const { n } = await trx
      .selectFrom(some.as('some'))
      .select((one) => one.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return n;
  };
  return {
    open: await count(conditionOf('offen', endOfToday)),
    due: await count(conditionOf('faellig', endOfToday)),
    overdue: await count(eb.and([mine, eb('o.ship_by', '<', now)])),
    cancel_requests: await count(conditionOf('stornowunsch', endOfToday)),
    unclear: await count(conditionOf('klaerung', endOfToday)),
  };
}
