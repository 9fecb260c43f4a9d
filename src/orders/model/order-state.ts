import type { StoredLine, StoredOrder } from './order-record.ts';

type Counters = Pick<StoredLine, 'ordered' | 'shipped' | 'cancelled' | 'returned'>;
type Priced = Counters & Pick<StoredLine, 'unit_cents' | 'discount_cents'>;
type FromLines = Pick<StoredOrder, 'state' | 'open_pieces' | 'returned_pieces' | 'total_cents' | 'line_count'>;

/** Returns an order's state from its lines; `open_pieces` are neither shipped nor cancelled, reserved or not. */
export function orderState(pending: boolean, lines: readonly Priced[]): FromLines {
  const sum = (of: (line: Priced) => number) => lines.reduce((total, line) => total + of(line), 0);
  const open = sum(({ ordered, shipped, cancelled }) => ordered - shipped - cancelled);
  const shipped = sum((line) => line.shipped);
  const returned = sum((line) => line.returned);
  const unpriced = lines.some(({ ordered, cancelled, unit_cents }) => unit_cents === null && ordered > cancelled);
  return {
    state: stateOf(pending, lines.length === 0 ? undefined : open, shipped, returned),
    open_pieces: open,
    returned_pieces: returned,
    total_cents: unpriced ? null : sum(leftCents),
    line_count: lines.length,
  };
}

/** `open` undefined: no line is known yet. */
function stateOf(pending: boolean, open: number | undefined, shipped: number, returned: number): StoredOrder['state'] {
  if (open === undefined || open > 0) return pending ? 'pending' : shipped > 0 ? 'part_shipped' : 'open';
  if (shipped === 0) return 'cancelled';
  return returned >= shipped ? 'returned' : 'shipped';
}

/** What an order adds to its day's counters. Amounts are cents with tax, less discount, without shipping. */
export type DayCounts = {
  orders: number;
  pieces: number;
  revenue_cents: number;
  cancelled: number;
  returned: number;
  unpriced: number;
};
export const noCounts: DayCounts = { orders: 0, pieces: 0, revenue_cents: 0, cancelled: 0, returned: 0, unpriced: 0 };

/**
 * Returns the price of some pieces of a line in cents with tax, without shipping; 0 if unknown. The discount is shared among the
 * pieces.
 */
export function goodsCents(
  { ordered, unit_cents, discount_cents }: Pick<StoredLine, 'ordered' | 'unit_cents' | 'discount_cents'>,
  pieces: number,
): number {
  if (unit_cents === null || ordered === 0) return 0;
  return Math.max(0, unit_cents * pieces - Math.round((discount_cents * pieces) / ordered));
}

/** Returns the price of the pieces of a line that are not cancelled, in cents. */
export const leftCents = (line: Priced): number => goodsCents(line, line.ordered - line.cancelled);

export function dayCounts(lines: readonly Priced[]): DayCounts {
  const counts = { ...noCounts };
  for (const line of lines) {
    const left = line.ordered - line.cancelled;
    counts.pieces += left;
    counts.revenue_cents += leftCents(line);
    counts.cancelled += line.cancelled;
    counts.returned += line.returned;
    if (line.unit_cents === null) counts.unpriced += left;
  }
  counts.orders = counts.pieces > 0 ? 1 : 0;
  return counts;
}

/** The day of a moment in the merchant's zone, YYYY-MM-DD as in the tables. */
const berlin = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Berlin',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
export const dayOf = (moment: Date): string => berlin.format(moment);
