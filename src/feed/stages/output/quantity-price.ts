import {
  type FoundStockFields,
  stockComplaint,
  type StockFields,
  type StockRole,
} from '#shared/exports/stock-fields.ts';
import type { OutputColumn } from './cells.ts';

/** Names that channels use, letters and digits only. */
const usual: Readonly<Record<StockRole, ReadonlySet<string>>> = {
  id: new Set([
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
  stock: new Set([
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
  price: new Set([
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
};

const bare = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const plays = (field: string, role: StockRole, named: StockFields): boolean =>
  named[role] === '' ? usual[role].has(bare(field)) : field === named[role];

/** Finds the export's fields for the item number, the stock and the price: the named ones, else those with a usual name. */
export function findStockFields(fields: readonly string[], named: StockFields): FoundStockFields['found'] {
  const found = (role: StockRole) => fields.filter((field) => plays(field, role, named));
  return { id: found('id'), stock: found('stock'), price: found('price') };
}

/** Whether a field of this name may belong to the feed type quantityprice. */
export const isQuantityPrice = (field: string, named: StockFields): boolean =>
  Object.values(findStockFields([field], named)).some((found) => found.length > 0);

/**
 * The columns of the feed type quantityprice (HDR-03): those with the item number, the stock and the price; empty if the export
 * lacks an item number, or both stock and price.
 */
export function quantityPriceColumns<Column extends OutputColumn>(
  columns: readonly Column[],
  named: StockFields,
): Column[] {
  const fields = columns.map(({ name }) => name);
  if (stockComplaint(findStockFields(fields, named)) !== undefined) return [];
  return columns.filter(({ name }) => isQuantityPrice(name, named));
}
