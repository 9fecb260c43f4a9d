import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import type { StockEffect } from '#shared/stock/schema.ts';
import { newStockChannel, type StockSettings } from '#shared/stock/settings.ts';
import { accountIds, offeredNumber, stockNumbers, type StockPlace } from './compute.ts';
import { stockChannels } from './find-stock.ts';
import { loadStockSettings } from './settings.ts';
import { readSource, type SourceDeps, stockSource } from './source.ts';

const nothing = { total: 0, changed: 0, to_zero: 0, channels: [] };

/** What settings would change against the numbers of today, were they saved. Writes nothing. */
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
    const perChannel = await Promise.all(
      channels.map(async (channel) => {
        const listed = pg` where exists (select 1 from listings t where t.company = ${company} and t.master = ${master}
          and t.item = n.item and t.account = ${channel.id} and t.fulfilment = 'merchant')`;
        // The draft's numbers are a query of their own that stands in the middle.
        const { rows: counts } = await pg<Omit<StockEffect['channels'][number], 'id' | 'name'>>`
          select (count(*) filter (where after > 0))::int as offered, (count(*) filter (where after <> before))::int as changed,
            (count(*) filter (where after = 0 and before > 0))::int as to_zero,
            (count(*) filter (where after > 0 and before = 0))::int as from_zero
          from (select ${offeredNumber(channel)} as after, coalesce(o.offered, 0) as before
            from (${draft}) n left join stock_offers o
              on o.company = ${company} and o.master = ${master} and o.item = n.item and o.channel = ${channel.id}
            ${accounts.has(channel.id) ? listed : pg``}) c`.execute(trx);
        const [first = { offered: 0, changed: 0, to_zero: 0, from_zero: 0 }] = counts;
        return { id: channel.id, name: channel.name, ...first };
      }),
    );
    // As above.
    const { rows: sums } = await pg<Omit<StockEffect, 'channels'>>`
      select count(*)::int as total, (count(*) filter (where n.available <> coalesce(i.available, 0)))::int as changed,
        (count(*) filter (where n.available = 0 and i.available > 0))::int as to_zero
      from (${draft}) n left join stock_items i on i.company = ${company} and i.master = ${master} and i.item = n.item`.execute(
      trx,
    );
    return { ...(sums[0] ?? nothing), channels: perChannel };
  });
}
