import type { ChannelShipment } from '#marketplaces/orders-port.ts';
import type { OrderEvent, StoredShipment } from './order-record.ts';

/** A new tracking number of a known parcel. Its pieces stay as they are. */
export type CorrectedNumber = { id: string; reference: string; carrier: string; tracking: string };

/** Normalises spaces and capitals, which do not make another number. */
const key = (tracking: string) => tracking.replaceAll(/\s/g, '').toUpperCase();

/**
 * Returns the new tracking number of a known parcel if its channel shows another; undefined if it stays. A missing number removes
 * none. The carrier is included: a number belongs to its carrier.
 */
export function correctedNumber(
  known: Pick<StoredShipment, 'id' | 'reference' | 'carrier' | 'tracking'>,
  { reference, carrier, tracking, state }: ChannelShipment,
): { number: CorrectedNumber; event: OrderEvent } | undefined {
  if (state === 'cancelled' || tracking === '' || key(tracking) === key(known.tracking)) return undefined;
  return {
    number: {
      id: known.id,
      reference: reference === '' ? known.reference : reference,
      carrier: carrier === '' ? known.carrier : carrier,
      tracking,
    },
    event: { kind: 'tracking_corrected', details: { from: known.tracking, to: tracking } },
  };
}
