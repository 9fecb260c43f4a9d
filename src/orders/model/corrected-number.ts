import type { ChannelShipment } from '#marketplaces/orders-port.ts';
import type { OrderEvent, StoredShipment } from './order-record.ts';

/** A known parcel that travels under another number than we had. Which pieces are in it stays as it is. */
export type CorrectedNumber = { id: string; reference: string; carrier: string; tracking: string };

/** Spaces and capitals are how a number is written, not another one. */
const key = (tracking: string) => tracking.replaceAll(/\s/g, '').toUpperCase();

/**
 * What becomes of a known parcel's number by what its channel shows; undefined: it stays. A channel that shows none takes none away. The
 * carrier comes along: a number is one of its carrier.
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
