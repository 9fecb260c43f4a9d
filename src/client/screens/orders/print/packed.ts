import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';

export type PackedLine = Pick<OrderLine, 'productid' | 'sku' | 'title'> & { pieces: number };

/**
 * Returns the contents of the parcel: the open pieces; else those reported as shipped that the channel has not confirmed, for
 * users who report first and print then; for a completed order, the shipped pieces.
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
