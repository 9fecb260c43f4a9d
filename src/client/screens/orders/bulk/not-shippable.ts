import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';

type Shipped = Pick<OrderRow, 'open_pieces'> & { lines: readonly Pick<OrderLine, 'open' | 'sent'>[] };

/**
 * Says why none of an order's open pieces may be shipped, for example because the buyer wants to cancel; '' if they may. The
 * server's reasons against an open line apply to the whole order, so that the listed lines suffice.
 */
export function notShippable({ open_pieces: open, lines }: Shipped): string {
  if (open === 0) return 'Es ist kein Stück mehr offen.';
  return lines.find((line) => line.open > 0 && !line.sent.possible)?.sent.reason ?? '';
}
