import type { StoredShipment } from './order-record.ts';

/** Pieces of a stored shipment without number that are in a parcel which the channel shows by now. */
export type NamedPieces = { shipment: string; line: string; quantity: number };

/**
 * Pieces of a line that were counted as shipped before the channel showed their parcel (it may take minutes): they are in this one, and
 * are not shipped a second time. Returns how many.
 */
export function takeCounted(
  shipments: readonly StoredShipment[],
  named: NamedPieces[],
  line: string,
  wanted: number,
): number {
  let left = wanted;
  for (const { id, reference, tracking, source, lines } of shipments) {
    if (source !== 'channel' || reference + tracking !== '') continue;
    const pieces = (of: readonly { line: string; quantity: number }[]) =>
      of.reduce((sum, one) => sum + (one.line === line ? one.quantity : 0), 0);
    const quantity = Math.min(left, pieces(lines) - pieces(named.filter(({ shipment }) => shipment === id)));
    if (quantity <= 0) continue;
    named.push({ shipment: id, line, quantity });
    left -= quantity;
  }
  return wanted - left;
}
