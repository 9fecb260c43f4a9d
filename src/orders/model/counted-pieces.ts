import type { StoredShipment } from './order-record.ts';

/** Pieces of a stored shipment without a number whose parcel the channel now shows. */
export type NamedPieces = { shipment: string; line: string; quantity: number };

/**
 * Assigns pieces that were counted as shipped before the channel showed their parcel (it may take minutes) to this parcel, so
 * that they are not shipped twice. Returns how many.
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
