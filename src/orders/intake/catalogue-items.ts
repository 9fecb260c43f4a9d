import { itemTitles, type TitleDeps } from '#catalogue/titles/item-titles.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { NewOrder } from '#shared/orders/intake.ts';
import type { StoredMerge } from './store-merges.ts';

/** Sets the catalogue item of each line: by the listings of an account, or by the key of an export's catalogue. */
export async function catalogueItems(
  trx: Trx,
  company: string,
  channel: string,
  merges: readonly StoredMerge[],
): Promise<void> {
  const unknown = merges.flatMap(({ merge }) => merge.lines).filter((line) => line.item === null && line.sku !== '');
  if (unknown.length === 0) return;
  const master = await masterOf(trx, company, channel);
  if (master !== undefined) {
    for (const line of unknown) Object.assign(line, { master, item: line.sku });
    return;
  }
  const listings = await trx
    .selectFrom('listings')
    .select(['sku', 'master', 'item'])
    .where((eb) => eb.and({ company, account: channel }))
    .where('sku', '=', anyOf([...new Set(unknown.map(({ sku }) => sku))]))
    .execute();
  const bySku = new Map(listings.map((listing) => [listing.sku, listing]));
  for (const line of unknown) {
    const listing = bySku.get(line.sku);
    if (listing !== undefined) Object.assign(line, { master: listing.master, item: listing.item });
  }
}

/** Returns the catalogue of an export; undefined if the channel is not an export. */
async function masterOf(trx: Trx, company: string, channel: string): Promise<string | undefined> {
  const found = await trx
    .selectFrom('exports')
    .select('master')
    .where((eb) => eb.and({ company, id: channel }))
    .executeTakeFirst();
  return found?.master;
}

/**
 * Returns the catalogue's titles of articles that come without one, by item number. If the catalogue cannot be read, the map is
 * empty, so that no order waits for it.
 */
export async function missingTitles(
  deps: TitleDeps & { log: Log },
  company: string,
  channel: string,
  orders: readonly NewOrder[],
): Promise<ReadonlyMap<string, string>> {
  const skus = orders.flatMap(({ lines }) =>
    lines.flatMap(({ title, sku }) => (title === '' && sku !== '' ? [sku] : [])),
  );
  if (skus.length === 0) return new Map();
  const masterid = await deps.database.company(company, (trx) => masterOf(trx, company, channel));
  if (masterid === undefined) return new Map();
  try {
    return await itemTitles(deps, { company, masterid }, [...new Set(skus)]);
  } catch (error) {
    deps.log.warn({ err: error, channel }, 'titles of articles could not be read');
    return new Map();
  }
}

/**
 * Sets the catalogue item of open lines that were read before their listing existed: an account's orders are read at once, its
 * listings come later, and an unchanged order is not read again.
 */
export async function recogniseLines(trx: Trx, company: string, master: string): Promise<void> {
  const unknown = await trx
    .selectFrom('order_lines')
    .select(['channel', 'sku'])
    .distinct()
    .where('company', '=', company)
    // Matches the partial index of open lines.
    .where('master', 'is', null)
    .whereRef('ordered', '>', (eb) => eb('shipped', '+', eb.ref('cancelled')))
    .where('sku', '<>', '')
    .execute();
  if (unknown.length === 0) return;
  const listings = await trx
    .selectFrom('listings')
    .select(['account as channel', 'sku', 'item'])
    .where((eb) => eb.and({ company, master }))
    .where('account', '=', anyOf([...new Set(unknown.map(({ channel }) => channel))]))
    .where('sku', '=', anyOf([...new Set(unknown.map(({ sku }) => sku))]))
    .execute();
  if (listings.length === 0) return;
  await pg`update order_lines l set master = ${master}, item = r.item
    from json_to_recordset(${JSON.stringify(listings)}::json) as r(channel text, sku text, item text)
    where l.company = ${company} and l.channel = r.channel and l.sku = r.sku and l.master is null
      and l.ordered > l.shipped + l.cancelled`.execute(trx);
}
