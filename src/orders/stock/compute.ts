import type { RawBuilder } from 'kysely';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { StockChannel, StockSettings } from '#shared/stock/settings.ts';
import { reservingLines, someItems } from './reserved.ts';

export type StockPlace = { company: string; master: string };
export type Basis = StockPlace & {
  settings: StockSettings;
  sourceAt: Date;
  /** Undefined: all. */
  items?: readonly string[] | undefined;
  /** A query of item and on_hand; undefined: what is stored. */
  stock?: RawBuilder<unknown> | undefined;
};

/** The numbers of items by given settings, as numbers.ts says them, for as many items as there are. */
export function stockNumbers({ company, master, settings, sourceAt, items, stock }: Basis): RawBuilder<unknown> {
  const { buffer_pieces: pieces, buffer_percent: percent, contains_open_orders: containsOpenOrders } = settings;
  const lines = reservingLines({ company, master, sourceAt, containsOpenOrders, items });
  const source =
    stock ??
    pg`select item, on_hand from stock_items where company = ${company} and master = ${master}${someItems('item', items)}`;
  return pg`select n.item, n.on_hand, n.reserved, n.buffer, greatest(0, n.on_hand - n.reserved - n.buffer) as available
    from (select i.item, i.on_hand, least(coalesce(r.pieces, 0), 2000000000)::int as reserved,
        ${pieces}::int + (i.on_hand * ${percent}::bigint + 99)::bigint / 100 as buffer
      from (${source}) i left join (select item, sum(open + "left") as pieces from (${lines}) l group by item) r on r.item = i.item) n`;
}

/** What a channel offers of `available`, a column. */
export const offeredNumber = ({ active, floor, cap, share }: StockChannel): RawBuilder<number> =>
  active
    ? pg<number>`(case when available <= ${floor}::int then 0
        else least(${cap}::int, (available::bigint * ${share}::bigint / 100)::int) end)`
    : pg<number>`0`;

/** Writes the numbers of items that are other than they were. */
export async function computeItems(trx: Trx, basis: Basis): Promise<void> {
  const { company, master } = basis;
  await pg`update stock_items i set reserved = n.reserved, buffer = n.buffer, available = n.available
    from (${stockNumbers(basis)}) n
    where i.company = ${company} and i.master = ${master} and i.item = n.item
      and (i.reserved <> n.reserved or i.buffer <> n.buffer or i.available <> n.available)`.execute(trx);
}

/** Which of a catalogue's channels are accounts at marketplaces; the others are fed by file. */
export async function accountIds(trx: Trx, { company, master }: StockPlace): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('marketplace_accounts')
    .select('id')
    .where((eb) => eb.and({ company, master }))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Writes what channels offer of items where it is other than it was. An account offers what it lists itself and the merchant ships. */
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
    const listed = pg`join listings t on t.company = i.company and t.master = i.master and t.item = i.item
      and t.account = ${channel.id} and t.fulfilment = 'merchant'`;
    const written =
      await pg`insert into stock_offers as o (company, master, item, channel, account, sku, offered, changed_at, not_before)
      select w.* from (
        select distinct on (i.item) i.company, i.master, i.item, ${channel.id} as channel, ${account}::boolean as account,
          ${account ? pg`t.sku` : pg`i.item`} as sku, ${offeredNumber(channel)} as offered, ${at} as changed_at, ${at} as not_before
        from stock_items i ${account ? listed : pg``}
        where i.company = ${company} and i.master = ${master}${someItems('i.item', items)}) w
      left join stock_offers b on b.company = w.company and b.master = w.master and b.item = w.item and b.channel = w.channel
      where b.item is null or b.offered <> w.offered or b.sku <> w.sku
      on conflict (company, master, item, channel) do update
        set offered = excluded.offered, changed_at = excluded.changed_at, not_before = excluded.not_before, tries = 0,
          sku = excluded.sku, state = case when o.state = 'unknown' then 'unknown' else 'new' end, message = '',
          base = case when o.sku = excluded.sku then o.base end, shown = case when o.sku = excluded.sku then o.shown end`.execute(
        trx,
      );
    if (!account) changes += written.numAffectedRows ?? 0n;
    else
      await pg`delete from stock_offers o where o.company = ${company} and o.master = ${master} and o.channel = ${channel.id}
          and o.account${someItems('o.item', items)}
          and not exists (select 1 from listings t where t.company = o.company and t.master = o.master and t.item = o.item
            and t.account = o.channel and t.fulfilment = 'merchant')`.execute(trx);
  }
  if (changes > 0n) await noteFeedChange(trx, basis);
}

/** Says that what channels fed by file are offered is other than it was. */
export async function noteFeedChange(trx: Trx, { company, master }: StockPlace): Promise<void> {
  await trx
    .updateTable('stock_states')
    .set((eb) => ({ feed_revision: eb('feed_revision', '+', 1) }))
    .where((eb) => eb.and({ company, master }))
    .execute();
}

/** Takes off what channels show what they sold by themselves since their last sure number. */
export async function followSales(trx: Trx, { company, master }: StockPlace, items: readonly string[]): Promise<void> {
  await pg`update stock_offers f set shown = greatest(0, f.base - s.pieces)
    from (select f.item, f.channel, coalesce(sum(l.ordered) filter (where o.order_id is not null), 0)::int as pieces
      from stock_offers f
      left join order_lines l on l.company = f.company and l.master = f.master and l.item = f.item and l.channel = f.channel
      left join orders o on o.company = l.company and o.channel = l.channel and o.order_id = l.order_id
        and o.placed_at > f.base_at and o.fulfilled_by = 'merchant'
      where f.company = ${company} and f.master = ${master} and f.account and f.base is not null${someItems('f.item', items)}
      group by f.item, f.channel) s
    where f.company = ${company} and f.master = ${master} and f.item = s.item and f.channel = s.channel
      and f.shown is distinct from greatest(0, f.base - s.pieces)`.execute(trx);
}
