import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';

type Shipped = Pick<OrderRow, 'open_pieces'> & { lines: readonly Pick<OrderLine, 'open' | 'sent'>[] };

/**
 * Says why none of an order's open pieces may be shipped, for example because the buyer wants to cancel; '' if they may. An
 * order whose open pieces are all on lines that the list leaves out is not marked: the server refuses it.
 */
export function notShippable({ open_pieces: open, lines }: Shipped): string {
  if (open === 0) return 'Es ist kein Stück mehr offen.';
  return lines.find((line) => line.open > 0 && !line.sent.possible)?.sent.reason ?? '';
}
