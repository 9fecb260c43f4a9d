import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { Row } from '#platform/db/row.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import type { OrderNews } from '#marketplaces/port.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { NotNull } from 'kysely';
import type { Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { addNotification } from '#notifications/notifications.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { GATE } from '#repricer/gate/gate.ts';
import { holdItems, lastAlarm, type ItemAlarm } from './item-alarms.ts';
import type { IntakeResult } from '#repricer/intake/offers.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { alarmWords, SALES, salesAlarm, type SentPrice } from './sales-alarm.ts';

/** An own offer that an order's line names. */
type SoldListing = Row<'listings', 'account' | 'sku' | 'master' | 'marketplace' | 'item' | 'currency'>;
type Line = {
  account: string;
  order: string;
  line: string;
  sku: string;
  quantity: number;
  purchased: string;
  changed: string;
};
const skuKey = ({ account, sku }: { account: string; sku: string }) => `${account}\n${sku}`;
const lineKey = ({ account, order, line }: Line) => `${account}\n${order}\n${line}`;

/**
 * Stores news of orders for the sales alarm, and raises it. A repeated order counts once, whatever its state; a cancelled one no
 * longer counts. Only offers of ours are stored. Returns one result per order, as for offers.
 */
export async function takeSales(
  trx: Trx,
  ids: Ids,
  company: string,
  orders: readonly OrderNews[],
  now: Date,
): Promise<IntakeResult[]> {
  if (orders.length === 0) return [];
  await disableSeqScans(trx);
  const lines = await linesOf(trx, company, orders);
  const sold = await soldHere(trx, company, lines);
  const linesOrResults = orders.map((order, n): IntakeResult | Line[] => {
    const latest = Math.max(order.purchasedAt.getTime(), order.changedAt.getTime());
    if (latest > now.getTime() + GATE.offersFuture) return 'future';
    if (order.purchasedAt.getTime() < now.getTime() - SALES.keep) return 'old';
    const ownLines = (lines[n] ?? []).filter((line) => sold.has(skuKey(line)));
    return ownLines.length === 0 ? 'unknown' : ownLines;
  });
  const written = await writeLines(
    trx,
    company,
    linesOrResults.flatMap((one) => (typeof one === 'string' ? [] : one)),
  );
  const bought = [...written].filter(({ quantity }) => quantity > 0);
  // In one fixed order: two transactions that raise the same alarms must not deadlock.
  await raise(
    trx,
    ids,
    company,
    [...new Set(bought.map(skuKey))].toSorted().flatMap((key) => sold.get(key) ?? []),
    now,
  );
  return linesOrResults.map((one) => {
    if (typeof one === 'string') return one;
    return one.some((line) => written.has(line)) ? 'taken' : 'twice';
  });
}

/** Returns the lines of each order, for every account of ours that it may belong to. */
async function linesOf(trx: Trx, company: string, orders: readonly OrderNews[]): Promise<Line[][]> {
  const sellerAt = (seller: string, marketplace: string) => `${sellerKey(seller)}\n${marketplace}`;
  const accounts = Map.groupBy(await listAccounts(trx, company), ({ sellerId, marketplace }) =>
    sellerAt(sellerId, marketplace),
  );
  return orders.map(({ sellerId, marketplace, order, purchasedAt, changedAt, lines }) =>
    (accounts.get(sellerAt(sellerId, marketplace)) ?? []).flatMap(({ id: account }) =>
      lines.map((line) => ({
        ...line,
        account,
        order,
        purchased: purchasedAt.toISOString(),
        changed: changedAt.toISOString(),
      })),
    ),
  );
}

async function soldHere(trx: Trx, company: string, lines: readonly Line[][]): Promise<Map<string, SoldListing[]>> {
  const all = lines.flat();
  if (all.length === 0) return new Map();
  const rows = await trx
    .selectFrom('listings')
    .select(['account', 'sku', 'master', 'marketplace', 'item', 'currency'])
    .where('company', '=', company)
    .where('account', '=', anyOf([...new Set(all.map(({ account }) => account))]))
    .where('sku', '=', anyOf([...new Set(all.map(({ sku }) => sku))]))
    .execute();
  return Map.groupBy(rows, skuKey);
}

/** Stores new or changed lines and returns them. */
async function writeLines(trx: Trx, company: string, lines: readonly Line[]): Promise<Set<Line>> {
  // Of repeated lines only the final state is stored; in one fixed order, to avoid deadlocks.
  const last = new Map<string, Line>();
  for (const line of lines) {
    const other = last.get(lineKey(line));
    if (other === undefined || supersedes(line, other)) last.set(lineKey(line), line);
  }
  const rows = [...last].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
  if (rows.length === 0) return new Set();
  const written = await insertRows(
    trx,
    'item_sales',
    rows.map(({ account, order, line, sku, quantity, purchased, changed }) => ({
      company,
      account,
      order_id: order,
      line_id: line,
      sku,
      quantity,
      purchased_at: purchased,
      changed_at: changed,
    })),
  )
    .onConflict((conflict) =>
      conflict
        .columns(['order_id', 'line_id', 'account', 'company'])
        .doUpdateSet((eb) => ({ quantity: eb.ref('excluded.quantity'), changed_at: eb.ref('excluded.changed_at') }))
        // SQL form of `supersedes`.
        .where('item_sales.quantity', '>', 0)
        .where((eb) =>
          eb.or([eb('excluded.quantity', '=', 0), eb('excluded.changed_at', '>', eb.ref('item_sales.changed_at'))]),
        ),
    )
    .returning(['account', 'order_id as order', 'line_id as line'])
    .execute();
  const keys = new Set(written.map(({ account, order, line }) => `${account}\n${order}\n${line}`));
  return new Set(rows.filter((row) => keys.has(lineKey(row))));
}

/**
 * Returns whether `line` replaces `other`: a cancelled line stays cancelled, whatever the order of messages; otherwise the later
 * state counts.
 */
const supersedes = (line: Line, other: Line): boolean =>
  other.quantity > 0 && (line.quantity === 0 || line.changed > other.changed);

/** Holds the offers that are bought far too often, and notifies people. */
async function raise(trx: Trx, ids: Ids, company: string, sold: readonly SoldListing[], now: Date): Promise<void> {
  const recent = await recentOrders(trx, company, sold, now);
  for (const [masterid, ofMaster] of Map.groupBy(sold, ({ master }) => master)) {
    const alarms: ItemAlarm[] = [];
    for (const one of ofMaster) {
      const orders = recent.get(skuKey(one)) ?? [];
      // Few offers get past this; the other figures are loaded only for them.
      if (orders.length < SALES.least) continue;
      const alarm = await alarmOf(trx, company, one, { orders, now });
      if (alarm !== undefined) alarms.push({ id: ids.id(), ...alarm });
    }
    const ref = { company, masterid };
    for (const alarm of await holdItems(trx, ref, alarms, now)) await notify(trx, ref, alarm);
  }
}

async function alarmOf(
  trx: Trx,
  company: string,
  sold: SoldListing,
  { orders, now }: { orders: readonly number[]; now: Date },
): Promise<Omit<ItemAlarm, 'id'> | undefined> {
  const { master: masterid, marketplace, item } = sold;
  const last = await lastAlarm(trx, { company, masterid }, { marketplace, item });
  if (last !== undefined && last.releasedAt === null) return undefined;
  const alarm = salesAlarm({
    now: now.getTime(),
    orders,
    ...(await usualOrders(trx, company, sold, now)),
    prices: await sentPrices(trx, company, sold, now),
    released: last?.releasedAt ? { at: last.releasedAt.getTime(), price: last.price } : null,
  });
  if (alarm === undefined) return undefined;
  return { marketplace, item, price: alarm.price, details: alarmWords(alarm, sold.currency), trippedAt: now };
}

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** Returns when each order of the window was made, by account and sku. */
async function recentOrders(
  trx: Trx,
  company: string,
  sold: readonly SoldListing[],
  now: Date,
): Promise<Map<string, number[]>> {
  if (sold.length === 0) return new Map();
  const rows = await trx
    .selectFrom('item_sales')
    .select((eb) => ['account', 'sku', eb.fn.min<Date>('purchased_at').as('at')])
    .where('company', '=', company)
    .where('account', '=', anyOf([...new Set(sold.map(({ account }) => account))]))
    .where('sku', '=', anyOf([...new Set(sold.map(({ sku }) => sku))]))
    .where('quantity', '>', 0)
    .where('purchased_at', '>', ago(now, SALES.window))
    .groupBy(['account', 'sku', 'order_id'])
    .execute();
  const orders = Map.groupBy(rows, skuKey);
  return new Map([...orders].map(([key, list]) => [key, list.map(({ at }) => at.getTime())]));
}

/** Returns the number of earlier orders, and since when the account's orders are known. */
async function usualOrders(trx: Trx, company: string, { account, sku }: SoldListing, now: Date) {
  const { earlier } = await trx
    .selectFrom('item_sales')
    .select((eb) => eb.fn.count<number>('order_id').distinct().as('earlier'))
    .where((eb) => eb.and({ company, account, sku }))
    .where('quantity', '>', 0)
    .where('purchased_at', '>', ago(now, SALES.history))
    .where('purchased_at', '<=', ago(now, SALES.window))
    .executeTakeFirstOrThrow();
  const first = await trx
    .selectFrom('item_sales')
    .select((eb) => eb.fn.min<Date | null>('purchased_at').as('at'))
    .where((eb) => eb.and({ company, account }))
    .executeTakeFirst();
  return { earlier, knownSince: first?.at?.getTime() ?? null };
}

/** Returns the prices sent for an item lately, also unanswered ones: buyers may see them. */
async function sentPrices(
  trx: Trx,
  company: string,
  { master, marketplace, item }: SoldListing,
  now: Date,
): Promise<SentPrice[]> {
  const rows = await trx
    .selectFrom('price_submissions')
    .select(['sent_at', 'from_cents', 'price_cents'])
    .where((eb) => eb.and({ company, master, marketplace, item }))
    .where('sent_at', '>', ago(now, SALES.cut))
    .where('state', 'in', ['accepted', 'live', 'unknown'])
    .orderBy('sent_at')
    .$narrowType<{ sent_at: NotNull }>()
    .execute();
  return rows.map(({ sent_at, from_cents, price_cents }) => ({
    at: sent_at.getTime(),
    from: from_cents,
    to: price_cents,
  }));
}

async function notify(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  { id, item, details }: ItemAlarm,
): Promise<void> {
  await addNotification(trx, company, {
    id: `sales-${id}`,
    event: 'blocked',
    title: `Wartet auf Freigabe: Verkaufsalarm bei Artikel ${item}`,
    text: `${details} Prüfen Sie, ob der Preis stimmt. Bis der Artikel freigegeben ist, ändert Kontor seinen Preis nicht.`,
    path: `/repricer/${masterid}`,
  });
}

/** Deletes sales too old for any alarm. Runs in a system transaction. */
export async function deleteSales(trx: Trx, now: Date): Promise<void> {
  await trx.deleteFrom('item_sales').where('purchased_at', '<', ago(now, SALES.keep)).execute();
}
