import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';

export type PackedLine = Pick<OrderLine, 'productid' | 'sku' | 'title'> & { pieces: number };

/**
 * What goes into the parcel: what is still open; else what was reported as shipped and waits for the channel, for whoever reports first
 * and prints then; of an order that is through, what went before.
 */
export function packed({ lines }: Pick<OrderRow, 'lines'>): PackedLine[] {
  const kinds = [
    ({ open }: OrderLine) => open,
    ({ ship_waiting: waiting }: OrderLine) => waiting,
    ({ shipped }: OrderLine) => shipped,
  ];
  const piecesOf = kinds.find((of) => lines.some((line) => of(line) > 0));
  if (piecesOf === undefined) return [];
  return lines
    .map((line) => ({ productid: line.productid, sku: line.sku, title: line.title, pieces: piecesOf(line) }))
    .filter(({ pieces }) => pieces > 0);
}
