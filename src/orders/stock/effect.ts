import type { RawBuilder } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import type { StockEffect } from '#shared/stock/schema.ts';
import { newStockChannel, type StockChannel, type StockSettings } from '#shared/stock/settings.ts';
import { accountIds, offeredNumber, stockNumbers, type StockPlace } from './compute.ts';
import { stockChannels } from './find-stock.ts';
import { loadStockSettings } from './settings.ts';
import { readSource, type SourceDeps, stockSource } from './source.ts';

const nothing = { total: 0, changed: 0, to_zero: 0, channels: [] };

/** Returns what the settings would change compared with today's numbers. Writes nothing. */
export async function stockEffect(deps: SourceDeps, place: StockPlace, settings: StockSettings): Promise<StockEffect> {
  const { company, master } = place;
  const database: Database = deps.database;
  const { source, stored } = await database.company(company, async (trx) => ({
    source: await stockSource(trx, place),
    stored: (await loadStockSettings(trx, company, master)).settings,
  }));
  if (source === undefined || settings.field === '') return nothing;
  const numbers = settings.field === stored.field ? undefined : await readSource(deps, source, settings.field);
  const rows = [...(numbers ?? new Map<string, number | null>())].map(([item, on_hand]) => ({
    item,
    on_hand: on_hand ?? 0,
  }));
  const stock =
    settings.field === stored.field
      ? undefined
      : pg`select item, on_hand from json_to_recordset(${JSON.stringify(rows)}::json) as r(item text, on_hand int)`;
  const draft = stockNumbers({ ...place, settings, sourceAt: source.sourceAt, stock });
  return database.company(company, async (trx) => {
    const accounts = await accountIds(trx, place);
    const channels = (await stockChannels(trx, place)).map(({ id, name }) => ({
      name,
      ...(settings.channels.find((channel) => channel.id === id) ?? newStockChannel(id)),
    }));
    const parts = channels.map((channel) => channelPart(place, channel, accounts.has(channel.id)));
    // The draft's numbers are computed once for all channels.
    const { rows } = await pg<Counted>`with n as materialized (${draft})
      ${pg.join([totalPart(place), ...parts], pg` union all `)}`.execute(trx);
    const countedOf = (id: string) => rows.find(({ channel }) => channel === id) ?? none;
    const { total, changed, to_zero } = countedOf(TOTAL);
    return {
      total,
      changed,
      to_zero,
      channels: channels.map(({ id, name }) => {
        const counted = countedOf(id);
        const { total: offered, from_zero } = counted;
        return { id, name, offered, changed: counted.changed, to_zero: counted.to_zero, from_zero };
      }),
    };
  });
}

type Counted = { channel: string; total: number; changed: number; to_zero: number; from_zero: number };
const none: Omit<Counted, 'channel'> = { total: 0, changed: 0, to_zero: 0, from_zero: 0 };
/** An id that no channel has. */
const TOTAL = '';

const changes = pg`(count(*) filter (where after <> before))::int as changed,
  (count(*) filter (where after = 0 and before > 0))::int as to_zero, (count(*) filter (where after > 0 and before = 0))::int as from_zero`;

/**
 * Returns a query of all articles by their current numbers and those of the draft, `n`. Grouped, never joined, as in
 * `stockNumbers`.
 */
const totalPart = ({ company, master }: StockPlace): RawBuilder<unknown> =>
  pg`select ${TOTAL} as channel, count(*)::int as total, ${changes}
    from (select max(available) as after, coalesce(max(was), 0) as before
      from (select item, available, null::int as was from n
        union all select item, null, available from stock_items where company = ${company} and master = ${master}) u
      group by item having max(available) is not null) c`;

/** Returns a query of what a channel would offer; an account offers only what it lists and the merchant ships. */
function channelPart({ company, master }: StockPlace, channel: StockChannel, account: boolean): RawBuilder<unknown> {
  const listed = pg` union all select item, null, null, 1 from listings
    where company = ${company} and master = ${master} and account = ${channel.id} and fulfilment = 'merchant'`;
  return pg`select ${channel.id} as channel, (count(*) filter (where after > 0))::int as total, ${changes}
    from (select ${offeredNumber(channel)} as after, before
      from (select max(available) as available, coalesce(max(was), 0) as before
        from (select item, available, null::int as was, ${account ? pg`null::int` : pg`1`} as listed from n
          union all select item, null, offered, null from stock_offers
            where company = ${company} and master = ${master} and channel = ${channel.id}${account ? listed : pg``}) u
        group by item having max(available) is not null and max(listed) = 1) i) c`;
}
