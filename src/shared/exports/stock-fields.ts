import { z } from 'zod';

/** What the file of stock and price consists of (HDR-03, feed type 3). */
export const stockRoles = {
  id: { label: 'Artikelnummer' },
  stock: { label: 'Bestand' },
  price: { label: 'Preis' },
} as const;
export type StockRole = keyof typeof stockRoles;
export const stockRoleNames = ['id', 'stock', 'price'] as const satisfies readonly StockRole[];

/** Fields of the export that somebody has named; '' where the field's name tells by itself. */
export const StockFields = z
  .object({
    id: z.string().max(200).default(''),
    stock: z.string().max(200).default(''),
    price: z.string().max(200).default(''),
  })
  .meta({ id: 'StockFields' });
export type StockFields = z.infer<typeof StockFields>;

/** The fields that an export has, and which of them make up the file of stock and price. */
export const FoundStockFields = z
  .object({
    fields: z.array(z.string()),
    found: z.object({ id: z.array(z.string()), stock: z.array(z.string()), price: z.array(z.string()) }),
    /** Whether the address answers with a file now. */
    published: z.boolean(),
  })
  .meta({ id: 'FoundStockFields' });
export type FoundStockFields = z.infer<typeof FoundStockFields>;

/** Why no file of stock and price can be made of these fields; undefined if it can. */
export function stockComplaint({ id, stock, price }: FoundStockFields['found']): string | undefined {
  const missing = [
    ...(id.length === 0 ? ['kein Feld für die Artikelnummer'] : []),
    ...(stock.length === 0 && price.length === 0 ? ['kein Feld für Bestand oder Preis'] : []),
  ];
  return missing.length === 0 ? undefined : `In diesem Export ist ${missing.join(' und ')} zu erkennen.`;
}
