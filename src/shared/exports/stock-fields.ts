import { z } from 'zod';

/** Columns of the file of stock and price (HDR-03, feed type 3). */
export const stockRoles = {
  id: { label: 'Artikelnummer' },
  stock: { label: 'Bestand' },
  price: { label: 'Preis' },
} as const;
export type StockRole = keyof typeof stockRoles;
export const stockRoleNames = ['id', 'stock', 'price'] as const satisfies readonly StockRole[];

/** Fields of the export that a user has chosen; '' if the field is recognised by its name. */
export const StockFields = z
  .object({
    id: z.string().max(200).default(''),
    stock: z.string().max(200).default(''),
    price: z.string().max(200).default(''),
  })
  .meta({ id: 'StockFields' });
export type StockFields = z.infer<typeof StockFields>;

/** The fields of an export, and those recognised for the file of stock and price. */
export const FoundStockFields = z
  .object({
    fields: z.array(z.string()),
    found: z.object({ id: z.array(z.string()), stock: z.array(z.string()), price: z.array(z.string()) }),
    /** Whether the URL currently serves a file. */
    published: z.boolean(),
  })
  .meta({ id: 'FoundStockFields' });
export type FoundStockFields = z.infer<typeof FoundStockFields>;

/** Returns why these fields do not suffice for a file of stock and price; undefined if they do. */
export function stockComplaint({ id, stock, price }: FoundStockFields['found']): string | undefined {
  const missing = [
    ...(id.length === 0 ? ['kein Feld für die Artikelnummer'] : []),
    ...(stock.length === 0 && price.length === 0 ? ['kein Feld für Bestand oder Preis'] : []),
  ];
  return missing.length === 0 ? undefined : `In diesem Export ist ${missing.join(' und ')} zu erkennen.`;
}
