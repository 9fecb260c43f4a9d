import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { lockOrders } from '#orders/model/load-orders.ts';
import { asKnownLines } from '#orders/model/known-lines.ts';
import { mergeOrder, type Merge } from '#orders/model/merge-order.ts';
import type { EventSource, OrderRecord, StoredOrder } from '#orders/model/order-record.ts';
import { dayOf } from '#orders/model/order-state.ts';
import { savePersons } from '#orders/persons/save-persons.ts';
import { clean, cleanOrder } from './clean-order.ts';
import { catalogueItems } from './catalogue-items.ts';
import { storeMerges, type StoredMerge } from './store-merges.ts';
import { notifyOrders } from './notify-orders.ts';

export type IntakeDeps = { ids: Ids; vault: Vault };
/** The orders of a channel, and how they arrived. */
export type IncomingOrders = {
  channel: string;
  channelName: string;
  source: StoredOrder['source'];
  by: EventSource;
  /** The user who sent them; '' for the program itself. */
  author: string;
  orders: readonly ChannelOrder[];
  /** Whether lines are single pieces, of which a file may hold only some. */
  ofPieces?: boolean;
  /** Titles of catalogue items, for lines without a title. */
  titles?: ReadonlyMap<string, string>;
};
/** 'other_lines': the order is stored with other line ids, and its lines cannot be matched. */
export type IntakeResult = 'new' | 'changed' | 'same' | 'old' | 'other_lines';

/**
 * Stores orders as their channel shows them now, as far as they contain something new (see mergeOrder); returns one result per
 * order. Lines, parcels, day counters, events and personal data are written together. Orders are locked in the order of their
 * ids.
 */
export async function takeOrders(
  trx: Trx,
  deps: IntakeDeps,
  company: string,
  incoming: IncomingOrders,
  now: Date,
): Promise<IntakeResult[]> {
  const results = new Map<number, IntakeResult>();
  const all = incoming.orders
    .map((order, index) => ({ order: cleanOrder(order), index }))
    .sort((one, other) => one.order.changedAt.getTime() - other.order.changedAt.getTime());
  // An order that occurs twice is stored twice, one state after the other.
  const seen = new Map<string, number>();
  const rounds = Map.groupBy(all, ({ order: { order } }) => {
    const times = seen.get(order) ?? 0;
    seen.set(order, times + 1);
    return times;
  });
  for (const round of rounds.values()) {
    const answers = await takeDistinct(
      trx,
      deps,
      company,
      { ...incoming, orders: round.map(({ order }) => order) },
      now,
    );
    for (const [n, { index }] of round.entries()) results.set(index, answers[n] ?? 'same');
  }
  return incoming.orders.map((_, index) => results.get(index) ?? 'same');
}

async function takeDistinct(
  trx: Trx,
  deps: IntakeDeps,
  company: string,
  incoming: IncomingOrders,
  now: Date,
): Promise<IntakeResult[]> {
  const { channel, orders } = incoming;
  const made = await makeRows(trx, company, incoming, now);
  const ids = orders.map(({ order }) => order);
  const records = await lockOrders(trx, company, channel, ids);
  const merges: StoredMerge[] = [];
  const results = orders.map((order): IntakeResult => {
    const record = records.get(order.order);
    if (record === undefined) return 'same';
    const stored: OrderRecord = { ...record, isNew: made.has(order.order) };
    const lines =
      incoming.by === 'file' ? asKnownLines(stored.lines, order.lines, incoming.ofPieces ?? false) : order.lines;
    if (lines === 'other_lines') return lines;
    const merge: Merge | 'old' | 'same' = mergeOrder(stored, { ...order, lines });
    if (typeof merge === 'string') return merge;
    merges.push({ stored, merge: { ...merge, order: { ...merge.order, seen_at: now } } });
    return stored.isNew ? 'new' : 'changed';
  });
  await catalogueItems(trx, company, channel, merges);
  const { by, author, titles } = incoming;
  for (const line of merges.flatMap(({ merge }) => merge.lines)) {
    if (line.title === '' && line.item !== null) line.title = clean(titles?.get(line.item) ?? '');
  }
  await storeMerges(trx, deps.ids, company, merges, { by, author, now });
  const merged = new Map(merges.map(({ merge }) => [merge.order.order_id, merge.order]));
  const known = orders.flatMap(({ order, persons }, n) => {
    const stored = merged.get(order) ?? records.get(order)?.order;
    return stored === undefined || results[n] === 'old' || results[n] === 'other_lines'
      ? []
      : [{ order: stored, isNew: made.has(order), persons }];
  });
  const completed = await savePersons(trx, deps.vault, company, known, { by, author, now });
  await notifyOrders(trx, company, merges);
  // An address alone is new data, too: whoever reads a file again to add it must see that it arrived.
  return results.map((result, n) => (result === 'same' && completed.has(orders[n]?.order ?? '') ? 'changed' : result));
}

/** Inserts rows for new orders, so that they can be locked; returns the ids of those inserted. */
async function makeRows(
  trx: Trx,
  company: string,
  { channel, channelName, source, orders }: IncomingOrders,
  now: Date,
): Promise<Set<string>> {
  if (orders.length === 0) return new Set();
  const rows = orders
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
    .map((order) => ({
      company,
      channel,
      order_id: order.order,
      channel_name: channelName,
      source,
      placed_at: order.placedAt.toISOString(),
      changed_at: order.changedAt.toISOString(),
      seen_at: now.toISOString(),
      raw_state: order.rawState,
      currency: order.currency,
      state: 'pending' as const,
      open_pieces: 0,
      day: dayOf(order.placedAt),
    }));
  const made = await insertRows(trx, 'orders', rows)
    .onConflict((conflict) => conflict.columns(['company', 'channel', 'order_id']).doNothing())
    .returning('order_id')
    .execute();
  return new Set(made.map(({ order_id }) => order_id));
}
