import { pg, anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { listExports } from '#catalogue/exports.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import {
  FEW_PIECES,
  type StockChannelName,
  type StockFilter,
  type StockOffer,
  type StockRow,
  type StockState,
} from '#shared/stock/schema.ts';
import type { StockPlace } from './compute.ts';
import { loadStockSettings } from './settings.ts';

type Wanted = { filter: StockFilter; search: string; offset: number; limit: number };

/** Returns a page of a catalogue's articles by number, and the total. */
export async function findStock(
  trx: Trx,
  place: StockPlace,
  wanted: Wanted,
): Promise<{ rows: StockRow[]; total: number }> {
  const { company, master } = place;
  const found = trx
    .selectFrom('stock_items as i')
    .where((eb) => eb.and({ 'i.company': company, 'i.master': master }))
    .where(pg<boolean>`${stillOfUse}`)
    .where(pg<boolean>`${matching(wanted.filter)}`)
    .where(pg<boolean>`(${wanted.search} = '' or strpos(lower(i.item), lower(${wanted.search})) > 0)`);
  const { n } = await found.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  const items = await found
    .select(['i.item', 'i.on_hand', 'i.source', 'i.reserved', 'i.buffer', 'i.available'])
    .orderBy('i.item')
    .offset(wanted.offset)
    .limit(wanted.limit)
    .execute();
  const offers = await offersOf(
    trx,
    place,
    items.map(({ item }) => item),
  );
  return { rows: items.map((row) => ({ ...row, offers: offers.get(row.item) ?? [] })), total: n };
}

/** An account shows a number other than it should, or an unknown one. */
const deviating = pg`exists (select 1 from stock_offers o where o.company = i.company and o.master = i.master and o.item = i.item
        and o.account and (o.shown is distinct from o.offered or o.state in ('refused', 'unknown')))`;

/** An article removed from the catalogue is left out once no order waits for it and no marketplace shows it. */
const stillOfUse = pg`(i.source <> 'missing' or i.reserved > 0 or ${deviating})`;

function matching(filter: StockFilter) {
  switch (filter) {
    case 'alle':
      return pg`true`;
    case 'ausverkauft':
      return pg`i.available = 0`;
    case 'knapp':
      return pg`i.available between 1 and ${FEW_PIECES}::int`;
    case 'abweichend':
      return deviating;
  }
}

async function offersOf(
  trx: Trx,
  { company, master }: StockPlace,
  items: readonly string[],
): Promise<ReadonlyMap<string, StockOffer[]>> {
  const rows = await trx
    .selectFrom('stock_offers')
    .select(['item', 'channel', 'offered', 'shown', 'account', 'state', 'message'])
    .where((eb) => eb.and({ company, master }))
    .where('item', '=', anyOf(items))
    .orderBy('channel')
    .execute();
  const byItem = Map.groupBy(rows, ({ item }) => item);
  return new Map([...byItem].map(([item, offers]) => [item, offers.map(({ item: _item, ...offer }) => offer)]));
}

/** Returns one article; undefined if there is none. */
export async function findStockItem(trx: Trx, place: StockPlace, item: string): Promise<StockRow | undefined> {
  const { company, master } = place;
  const row = await trx
    .selectFrom('stock_items')
    .select(['item', 'on_hand', 'source', 'reserved', 'buffer', 'available'])
    .where((eb) => eb.and({ company, master, item }))
    .executeTakeFirst();
  return row && { ...row, offers: (await offersOf(trx, place, [item])).get(item) ?? [] };
}

/** Returns every channel that a catalogue sells through, accounts first. */
export async function stockChannels(trx: Trx, { company, master }: StockPlace): Promise<StockChannelName[]> {
  const accounts = (await listAccounts(trx, company)).filter(({ masterid }) => masterid === master);
  const exports = await listExports(trx, company, master);
  return [
    ...accounts.map(({ id, name }) => ({ id, name, account: true })),
    ...exports.map(({ id, settings }) => ({ id, name: settings.name, account: false })),
  ];
}

export async function stockState(trx: Trx, { company, master }: StockPlace): Promise<StockState> {
  const { settings, revision } = await loadStockSettings(trx, company, master);
  const state = await trx
    .selectFrom('stock_states as s')
    .innerJoin('masters as m', (join) => join.onRef('m.company', '=', 's.company').onRef('m.id', '=', 's.master'))
    .select(['s.held', 's.held_at', 's.released_by', 's.release_reason', 's.source_at', 's.computed_at', 's.revision'])
    .select(['s.snapshot', 'm.live_snapshot'])
    .where((eb) => eb.and({ 's.company': company, 's.master': master }))
    .executeTakeFirst();
  const old = state !== undefined && (state.revision !== revision || state.snapshot !== state.live_snapshot);
  return {
    configured: settings.field !== '',
    held: state?.held ?? '',
    held_at: state?.held_at?.toISOString() ?? null,
    released_by: state?.released_by ?? null,
    release_reason: state?.release_reason ?? null,
    source_at: state?.source_at?.toISOString() ?? null,
    computed_at: state?.computed_at?.toISOString() ?? null,
    computing: old || (state !== undefined && state.computed_at === null),
  };
}
