import type { RawBuilder } from 'kysely';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { StockChannel, StockSettings } from '#shared/stock/settings.ts';
import { reservingLines, someItems } from './reserved.ts';

export type StockPlace = { company: string; master: string };
export type Basis = StockPlace & {
  settings: StockSettings;
  sourceAt: Date;
  /** Undefined: all items. */
  items?: readonly string[] | undefined;
  /** A query of item and on_hand; undefined: the stored numbers. */
  stock?: RawBuilder<unknown> | undefined;
};

/**
 * Returns a query of the items' numbers by the given settings, computed as in numbers.ts, next to the stored ones (`was_…`). Rows
 * are united and grouped, never joined: for a catalogue that was just filled PostgreSQL expects a single row and would compare
 * every item with every line.
 */
export function stockNumbers({ company, master, settings, sourceAt, items, stock }: Basis): RawBuilder<unknown> {
  const { buffer_pieces: pieces, buffer_percent: percent, contains_open_orders: containsOpenOrders } = settings;
  const lines = reservingLines({ company, master, sourceAt, containsOpenOrders, items });
  const source =
    stock === undefined
      ? pg`select item, on_hand, 0 as pieces, reserved, buffer, available from stock_items
          where company = ${company} and master = ${master}${someItems('item', items)}`
      : pg`select item, on_hand, 0 as pieces, null::int as reserved, null::int as buffer, null::int as available from (${stock}) i`;
  return pg`select n.*, greatest(0, n.on_hand - n.reserved - n.buffer) as available
    from (select i.item, i.on_hand, least(i.pieces, 2000000000)::int as reserved,
        ${pieces}::int + (i.on_hand * ${percent}::bigint + 99)::bigint / 100 as buffer, i.was_reserved, i.was_buffer, i.was_available
      from (select item, max(on_hand) as on_hand, sum(pieces) as pieces, max(reserved) as was_reserved, max(buffer) as was_buffer,
          max(available) as was_available
        from (${source} union all select item, null, open + "left", null, null, null from (${lines}) l) u
        group by item having max(on_hand) is not null) i) n`;
}

/** Returns the SQL of the pieces a channel offers, computed from the column `available`. */
export const offeredNumber = ({ active, floor, cap, share }: StockChannel): RawBuilder<number> =>
  active
    ? pg<number>`(case when available <= ${floor}::int then 0
        else least(${cap}::int, (available::bigint * ${share}::bigint / 100)::int) end)`
    : pg<number>`0`;

/** Stores the numbers of items that have changed. */
export async function computeItems(trx: Trx, basis: Basis): Promise<void> {
  const { company, master } = basis;
  // All rows exist: the conflict clause finds them by key, whatever PostgreSQL estimates.
  await pg`insert into stock_items (company, master, item, on_hand, source, reserved, buffer, available)
    select ${company}, ${master}, item, on_hand, 'ok', reserved, buffer, available from (${stockNumbers(basis)}) n
    where (reserved, buffer, available) is distinct from (was_reserved, was_buffer, was_available)
    on conflict (company, master, item) do update
      set reserved = excluded.reserved, buffer = excluded.buffer, available = excluded.available`.execute(trx);
}

/** Returns which of a catalogue's channels are marketplace accounts; the others are fed by file. */
export async function accountIds(trx: Trx, { company, master }: StockPlace): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('marketplace_accounts')
    .select('id')
    .where((eb) => eb.and({ company, master }))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const listedItems = ({ company, master, items }: Basis, account: string): RawBuilder<unknown> =>
  pg`select t.item from listings t where t.company = ${company} and t.master = ${master} and t.account = ${account}
    and t.fulfilment = 'merchant' and t.item is not null${someItems('t.item', items)}`;

/** Returns a query of the items a channel may offer, with the new and the previous number. Grouped as in `stockNumbers`. */
function offerRows(basis: Basis, channel: string, account: boolean): RawBuilder<unknown> {
  const { company, master, items } = basis;
  const ours = (column: string) =>
    pg`${pg.ref(`${column}.company`)} = ${company} and ${pg.ref(`${column}.master`)} = ${master}${someItems(`${column}.item`, items)}`;
  const listed = pg` union all select t.item, null, t.sku, null, null from listings t
      where ${ours('t')} and t.account = ${channel} and t.fulfilment = 'merchant'`;
  return pg`select item, max(available) as available, min(sku) as sku, max(offered) as was_offered, max(was_sku) as was_sku
    from (select i.item, i.available, ${account ? pg`null` : pg`i.item`} as sku, null::int as offered, null as was_sku
      from stock_items i where ${ours('i')}${account ? listed : pg``}
      union all select b.item, null, null, b.offered, b.sku from stock_offers b where ${ours('b')} and b.channel = ${channel}) u
    group by item having max(available) is not null and min(sku) is not null`;
}

/** Stores changed offers of the channels. An account offers only items that it lists and the merchant ships. */
export async function computeOffers(trx: Trx, basis: Basis, now: Date): Promise<void> {
  const { company, master, settings, items } = basis;
  const accounts = await accountIds(trx, basis);
  const active = settings.channels.filter((channel) => channel.active);
  let changes = 0n;
  if (items === undefined) {
    const ids = active.map(({ id }) => id);
    const gone =
      await pg`delete from stock_offers where company = ${company} and master = ${master} and not channel = any(${ids}::text[])`.execute(
        trx,
      );
    changes += gone.numAffectedRows ?? 0n;
  }
  const at = pg`${now.toISOString()}::timestamptz`;
  for (const channel of active) {
    const account = accounts.has(channel.id);
    const offered = offeredNumber(channel);
    const written =
      await pg`insert into stock_offers as o (company, master, item, channel, account, sku, offered, changed_at, not_before)
      select ${company}, ${master}, item, ${channel.id}, ${account}::boolean, sku, ${offered}, ${at}, ${at}
      from (${offerRows(basis, channel.id, account)}) w where was_offered is null or was_offered <> ${offered} or was_sku <> sku
      on conflict (company, master, item, channel) do update
        set offered = excluded.offered, changed_at = excluded.changed_at, not_before = excluded.not_before, tries = 0,
          sku = excluded.sku, state = case when o.state = 'unknown' then 'unknown' else 'new' end, message = '',
          base = case when o.sku = excluded.sku then o.base end, shown = case when o.sku = excluded.sku then o.shown end`.execute(
        trx,
      );
    if (!account) changes += written.numAffectedRows ?? 0n;
    else
      await pg`delete from stock_offers o where o.company = ${company} and o.master = ${master} and o.channel = ${channel.id}
          and o.account${someItems('o.item', items)} and o.item not in (${listedItems(basis, channel.id)})`.execute(
        trx,
      );
  }
  if (changes > 0n) await noteFeedChange(trx, basis);
}

/** Records that the offers of channels fed by file have changed. */
export async function noteFeedChange(trx: Trx, { company, master }: StockPlace): Promise<void> {
  await trx
    .updateTable('stock_states')
    .set((eb) => ({ feed_revision: eb('feed_revision', '+', 1) }))
    .where((eb) => eb.and({ company, master }))
    .execute();
}

/** Reduces the numbers that channels show by what they sold since the last confirmed number. */
export async function followSales(
  trx: Trx,
  { company, master }: StockPlace,
  items: readonly string[] | undefined,
): Promise<void> {
  // A subquery per item, so that the cost depends on their sales only, whatever PostgreSQL estimates.
  const shown = pg`greatest(0, f.base - coalesce((select sum(l.ordered)::int from order_lines l
      join orders o on o.company = l.company and o.channel = l.channel and o.order_id = l.order_id
      where l.company = f.company and l.master = f.master and l.item = f.item and l.channel = f.channel
        and o.placed_at > f.base_at and o.fulfilled_by = 'merchant'), 0))`;
  await pg`update stock_offers f set shown = ${shown}
    where f.company = ${company} and f.master = ${master} and f.account and f.base is not null${someItems('f.item', items)}
      and f.shown is distinct from ${shown}`.execute(trx);
}
