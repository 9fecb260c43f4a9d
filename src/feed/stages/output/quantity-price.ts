import type { OutputColumn } from './cells.ts';

/** Names that channels use for the item number, the stock and the price, letters and digits only. */
const roles: readonly ReadonlySet<string>[] = [
  new Set([
    'id',
    'gid',
    'sku',
    'offerid',
    'idoffer',
    'artikelnummer',
    'artikelnr',
    'itemid',
    'productid',
    'produktid',
    'ordernumber',
    'ean',
    'gtin',
    'ggtin',
  ]),
  new Set([
    'quantity',
    'qty',
    'stock',
    'menge',
    'bestand',
    'lagerbestand',
    'lager',
    'amount',
    'instock',
    'availability',
    'gavailability',
    'verfuegbarkeit',
    'verfügbarkeit',
    'deliverytime',
    'lieferzeit',
  ]),
  new Set([
    'price',
    'gprice',
    'saleprice',
    'gsaleprice',
    'preis',
    'bruttopreis',
    'verkaufspreis',
    'pricecs',
    'regularprice',
    'currentprice',
    'priceek',
    'retailprice',
    'discountedprice',
    'preisbrutto',
  ]),
];

const bare = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether a field of this name may belong to the feed type quantityprice. */
export const isQuantityPrice = (field: string): boolean => roles.some((names) => names.has(bare(field)));

/**
 * The columns of the feed type quantityprice (HDR-03): those of the export that name the item, its stock and its price;
 * none if the export lacks a number, or both stock and price.
 */
export function quantityPriceColumns<Column extends OutputColumn>(columns: readonly Column[]): Column[] {
  const found = roles.map((names) => columns.filter((column) => names.has(bare(column.name))));
  const [ids = [], stocks = [], prices = []] = found;
  if (ids.length === 0 || (stocks.length === 0 && prices.length === 0)) return [];
  return columns.filter((column) => ids.includes(column) || stocks.includes(column) || prices.includes(column));
}
