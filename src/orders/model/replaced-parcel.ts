import type { ChannelShipment } from '#marketplaces/orders-port.ts';
import type { StoredShipment } from './order-record.ts';

/** Whether the channel speaks of this parcel: by its reference, where it has none by its number. */
const isSame = (one: StoredShipment, { reference, tracking }: ChannelShipment): boolean =>
  reference === '' ? one.tracking === tracking : one.reference === reference;

export const knownParcel = (all: readonly StoredShipment[], parcel: ChannelShipment): StoredShipment | undefined =>
  all.find((one) => isSame(one, parcel));

/** The same pieces, in whatever order. */
const contentOf = ({ lines }: Pick<ChannelShipment, 'lines'>): string => {
  const pieces = new Map<string, number>();
  for (const { line, quantity } of lines) pieces.set(line, (pieces.get(line) ?? 0) + quantity);
  const held = [...pieces].filter(([, quantity]) => quantity > 0);
  return JSON.stringify(held.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/**
 * The parcel that stands at the channel under another reference now, of which all pieces are booked: it shows the old one no more, and one
 * new parcel holds what the old one held. undefined where there are several of either: nobody can tell which became which.
 */
export function replacedParcel(
  all: readonly StoredShipment[],
  shown: readonly ChannelShipment[],
  parcel: ChannelShipment,
): StoredShipment | undefined {
  const content = contentOf(parcel);
  const gone = all.filter(
    (one) =>
      one.reference + one.tracking !== '' &&
      contentOf(one) === content &&
      !shown.some((other) => other.state !== 'cancelled' && isSame(one, other)),
  );
  const come = shown.filter(
    (one) => one.state !== 'cancelled' && contentOf(one) === content && knownParcel(all, one) === undefined,
  );
  return gone.length === 1 && come.length === 1 ? gone[0] : undefined;
}
