import type { SellerRow } from '#shared/repricer/dashboard.ts';

export type NamedSeller = SellerRow & { readonly name: string };
export const sellerColumns = ['comp_seller_id', 'name', 'total_count', 'buybox_count', 'non_buybox_count'] as const;
export type SellerColumn = (typeof sellerColumns)[number];
export type SellerOrder = { readonly by: SellerColumn; readonly descending: boolean };

export const sellerHeads: Readonly<Record<SellerColumn, string>> = {
  comp_seller_id: 'Amazon SellerID',
  name: 'Händlername',
  total_count: 'Anzahl Artikel',
  buybox_count: 'davon Buybox',
  non_buybox_count: 'davon Non-Buybox',
};

/** Returns the competitors of one of our sellers with their names; a name that nobody entered is empty, not the id repeated. */
export function namedSellers(
  rows: readonly SellerRow[],
  sellerId: string,
  names: Readonly<Record<string, string>>,
): NamedSeller[] {
  return rows
    .filter(({ sellerid }) => sellerid === sellerId)
    .map((row) => {
      const name = names[row.comp_seller_id] ?? '';
      return { ...row, name: name === row.comp_seller_id ? '' : name };
    });
}

const collator = new Intl.Collator('de-DE', { numeric: true });

/** Returns the competitors whose id or name contains the text, in this order; equal ones by id. */
export function visibleSellers(sellers: readonly NamedSeller[], search: string, order: SellerOrder): NamedSeller[] {
  const wanted = search.trim().toLowerCase();
  const found = sellers.filter(
    ({ comp_seller_id, name }) => comp_seller_id.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
  );
  const compare = (one: NamedSeller, other: NamedSeller): number => {
    const [first, second] = [one[order.by], other[order.by]];
    if (typeof first === 'number' && typeof second === 'number') return first - second;
    return collator.compare(String(first), String(second));
  };
  const sign = order.descending ? -1 : 1;
  return found.sort(
    (one, other) => sign * compare(one, other) || collator.compare(one.comp_seller_id, other.comp_seller_id),
  );
}

/** Returns the order after a click on a head: numbers start with the largest, texts with A; a second click reverses the order. */
export function orderAfter({ by, descending }: SellerOrder, column: SellerColumn): SellerOrder {
  if (by === column) return { by, descending: !descending };
  return { by: column, descending: column !== 'comp_seller_id' && column !== 'name' };
}

export const sellerCells = (sellers: readonly NamedSeller[]): string[][] => [
  sellerColumns.map((column) => sellerHeads[column]),
  ...sellers.map((seller) => sellerColumns.map((column) => String(seller[column]))),
];
