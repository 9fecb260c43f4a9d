import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import type { ArticleRow } from './articles.ts';
import { fieldsOfRules, gateLimits, ruleFor, runningRules, type Fields } from '#repricer/decide/decide-listing.ts';
import { fieldsNow, itemFields, noFields } from '#repricer/model/item-fields.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import type { SimulateDeps } from '#repricer/simulation/simulate.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';

export type DashboardDeps = SimulateDeps & { storagePaths: StoragePaths };
type Known = { limits: ReturnType<typeof gateLimits> | undefined; brand: string };

/** Items read from the catalogue at once. */
const PIECE = 10_000;

/**
 * Returns rows for the client: with the limits of the rule that would price the item, its brand, and the competitor's name if
 * known.
 */
export async function articlesOf(
  deps: DashboardDeps,
  company: string,
  rows: readonly ArticleRow[],
  signal: AbortSignal,
): Promise<RepricedArticle[]> {
  const names = await deps.database.company(company, (trx) => namesOf(trx, company));
  const known = new Map<string, Known>();
  for (const [masterid, list] of Map.groupBy(rows, ({ master }) => master)) {
    const items = [...new Set(list.map(({ item }) => item))];
    for (let from = 0; from < items.length; from += PIECE) {
      const some = items.slice(from, from + PIECE);
      for (const [item, value] of await catalogueOf(deps, { company, masterid }, some, signal))
        known.set(`${masterid}\n${item}`, value);
    }
  }
  return rows.map((row) => articleOf(row, known.get(`${row.master}\n${row.item}`), names));
}

async function catalogueOf(
  deps: DashboardDeps,
  ref: { company: string; masterid: string },
  items: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Known>> {
  const { rules } = await deps.database.company(ref.company, (trx) => loadRepricerRules(trx, ref));
  const running = runningRules(rules);
  // Exactly the fields used to decide prices: these are materialised already.
  const names = fieldsOfRules(running.map(({ rule }) => rule));
  const now = await fieldsNow(deps, ref, { items: running.length === 0 ? [] : items, names, signal }).catch(
    (error: unknown) => {
      // If they cannot be computed the repricer reports it; the rows are returned without limits.
      if (error instanceof KontorError && error.code === 'fields_failed') return { ...noFields, snapshot: undefined };
      throw error;
    },
  );
  const brands = await brandsOf(deps, ref, now.snapshot, items);
  return new Map(
    items.map((item) => {
      const fields: Fields = now.fields.get(item) ?? {};
      const chosen = now.fields.has(item) ? ruleFor(running, fields) : undefined;
      return [item, { limits: chosen && gateLimits(chosen.rule, fields), brand: brands.get(item) ?? '' }];
    }),
  );
}

/** Names of the brand field in catalogues, the likeliest first. */
const BRAND_NAMES = ['brand', 'marke', 'markenname', 'brand_name', 'hersteller', 'manufacturer'];

/** Returns brands as imported: a field of an export would have to be computed for the whole catalogue first. */
async function brandsOf(
  { duckdb, storagePaths }: DashboardDeps,
  { company, masterid }: { company: string; masterid: string },
  snapshot: Awaited<ReturnType<typeof fieldsNow>>['snapshot'],
  items: readonly string[],
): Promise<Map<string, string>> {
  const called = (wanted: string) => snapshot?.fields.find(({ name }) => name.trim().toLowerCase() === wanted);
  const field = BRAND_NAMES.map(called).find((found) => found !== undefined);
  if (snapshot === undefined || field === undefined) return new Map();
  const path = storagePaths.snapshot(company, masterid, snapshot.number);
  const source = { path, columns: new Map([['brand', field.id]]), kept: undefined };
  const { fields } = await itemFields(duckdb, source, items);
  return new Map([...fields].map(([item, { brand }]) => [item, brand ?? '']));
}

/** Returns known seller names: those of our own accounts, and of sellers that rules exclude. */
export async function namesOf(trx: Trx, company: string): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('masters')
    .select('id')
    .where('company', '=', company)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const names = new Map<string, string>();
  for (const { id } of rows) {
    const { rules } = await loadRepricerRules(trx, { company, masterid: id });
    for (const { name, value } of rules.flatMap(({ action }) => action.exclude_sellers))
      if (name.trim() !== '' && value.trim() !== '') names.set(sellerKey(value), name.trim());
  }
  for (const { name, sellerId } of await listAccounts(trx, company))
    if (name !== '') names.set(sellerKey(sellerId), name);
  return names;
}

const euro = (cents: number | null | undefined): number | null =>
  cents === null || cents === undefined ? null : Number(cents) / 100;
const bit = (yes: boolean): 0 | 1 => (yes ? 1 : 0);

function articleOf(row: ArticleRow, known: Known | undefined, names: ReadonlyMap<string, string>): RepricedArticle {
  return {
    _id: row.item,
    masterid: row.master,
    marketplace: row.marketplace,
    asin: row.productId,
    brand: known?.brand ?? '',
    currency: row.currency,
    own_buybox: bit(row.own_box),
    my_rang: row.own_rank,
    worker_min_price: euro(known?.limits?.min),
    worker_price: euro(known?.limits?.standard),
    worker_max_price: euro(known?.limits?.max),
    my_offer_listing_price: euro(row.price_cents),
    my_offer_shipping_price: euro(row.shipping_cents),
    comp_offer_price: euro(row.rival_cents),
    comp_offer_shipping_price: euro(row.rival === null ? null : (row.rival_shipping_cents ?? 0)),
    comp_buybox: bit(row.rival_box),
    comp_seller_id: row.rival,
    comp_name: row.rival === null ? null : (names.get(row.rival) ?? row.rival),
    comp_seller_rang: row.rival_rank,
    comp_count: row.messages,
    offers_at: row.offers_at?.toISOString() ?? null,
  };
}
