import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { StoredMerge } from './store-merges.ts';

/** Writes to lines which item of the catalogue they are: by the listings of an account, by the key of an export's catalogue. */
export async function catalogueItems(
  trx: Trx,
  company: string,
  channel: string,
  merges: readonly StoredMerge[],
): Promise<void> {
  const unknown = merges.flatMap(({ merge }) => merge.lines).filter((line) => line.item === null && line.sku !== '');
  if (unknown.length === 0) return;
  const { master } =
    (await trx
      .selectFrom('exports')
      .select('master')
      .where((eb) => eb.and({ company, id: channel }))
      .executeTakeFirst()) ?? {};
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
