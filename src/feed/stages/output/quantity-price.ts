import {
  type FoundStockFields,
  stockComplaint,
  type StockFields,
  type StockRole,
  stockRoleNames,
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
    'stockquantity',
    'inventory',
    'inventoryquantity',
    'quantitytosellonfacebook',
    'totalshiptohomequantity',
    'count',
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
    'listprice',
  ]),
};
/** Names that have this meaning at one channel only, each with a field by which that channel's file is known. */
const companions: ReadonlyMap<string, string> = new Map([
  // Kaufland; elsewhere it may be the pieces in a pack.
  ['count', 'idoffer'],
  // eBay; elsewhere it is the manufacturer's recommended price.
  ['listprice', 'totalshiptohomequantity'],
]);

const decisive = new Set(companions.values());

const bare = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const plays = (field: string, role: StockRole, named: StockFields): boolean =>
  named[role] === '' ? usual[role].has(bare(field)) : field === named[role];

/** Finds the export's fields for the item number, the stock and the price: the named ones, else those with a usual name. */
export function findStockFields(fields: readonly string[], named: StockFields): FoundStockFields['found'] {
  const present = new Set(fields.map(bare));
  const isMeant = (field: string): boolean => {
    const companion = companions.get(bare(field));
    return companion === undefined || present.has(companion);
  };
  const found = (role: StockRole) =>
    fields.filter((field) => plays(field, role, named) && (named[role] !== '' || isMeant(field)));
  return { id: found('id'), stock: found('stock'), price: found('price') };
}

/** Whether a field of this name may belong to the feed type quantityprice, or decides whether another one does. */
export const isQuantityPrice = (field: string, named: StockFields): boolean =>
  decisive.has(bare(field)) || stockRoleNames.some((role) => plays(field, role, named));

/**
 * The columns of the feed type quantityprice (HDR-03): those with the item number, the stock and the price; empty if the export
 * lacks an item number, or both stock and price.
 */
export function quantityPriceColumns<Column extends OutputColumn>(
  columns: readonly Column[],
  named: StockFields,
): Column[] {
  const found = findStockFields(
    columns.map(({ name }) => name),
    named,
  );
  if (stockComplaint(found) !== undefined) return [];
  const fields = new Set(Object.values(found).flat());
  return columns.filter(({ name }) => fields.has(name));
}
