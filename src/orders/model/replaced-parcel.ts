import type { ChannelLine, ChannelShipment } from '#marketplaces/orders-port.ts';
import type { StoredLine, StoredShipment } from './order-record.ts';

/** Returns whether a stored parcel is the channel's: by reference, or by tracking number if it has none. */
const isSame = (one: StoredShipment, { reference, tracking }: ChannelShipment): boolean =>
  reference === '' ? one.tracking === tracking : one.reference === reference;

export const knownParcel = (all: readonly StoredShipment[], parcel: ChannelShipment): StoredShipment | undefined =>
  all.find((one) => isSame(one, parcel));

/** Returns the pieces as a text that does not depend on their order. */
const contentOf = ({ lines }: Pick<ChannelShipment, 'lines'>): string => {
  const pieces = new Map<string, number>();
  for (const { line, quantity } of lines) pieces.set(line, (pieces.get(line) ?? 0) + quantity);
  const held = [...pieces].filter(([, quantity]) => quantity > 0);
  return JSON.stringify(held.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/**
 * Returns the stored parcel that a new reference replaces: the channel no longer shows the old one, and exactly one new parcel
 * has the same pieces. undefined if several match: the replacement is ambiguous.
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

/** Returns by how many pieces the channel's shipped count exceeds ours; Infinity if it does not count the line. */
export function grownBy(lines: readonly StoredLine[], counts: readonly ChannelLine[], id: string): number {
  const [stored, count] = [lines.find(({ line_id }) => line_id === id), counts.find(({ line }) => line === id)];
  return stored === undefined || count === undefined ? Infinity : count.shipped - stored.shipped;
}

/** Returns the pieces of a line in parcels that are not cancelled. */
const piecesIn = (parcels: readonly ChannelShipment[], id: string): number =>
  parcels
    .filter(({ state }) => state !== 'cancelled')
    .flatMap(({ lines }) => lines)
    .reduce((sum, { line, quantity }) => sum + (line === id ? quantity : 0), 0);

/**
 * Returns how many pieces of a line may be booked for new parcels: up to the channel's count, or up to the pieces of all parcels
 * it shows if its count lags. Otherwise a repacked order would count its pieces as shipped twice. `grown`: how far its count
 * exceeds ours.
 */
export const bookable = (
  { line_id, shipped }: StoredLine,
  { shown, grown }: { shown: readonly ChannelShipment[]; grown: number },
): number => Math.max(0, grown, piecesIn(shown, line_id) - shipped);

/**
 * Returns whether the pieces of a new parcel are booked already: the channel's additional count is in its other new parcels.
 * `others`: the other parcels it shows, without those we sent that are not read back yet.
 */
export function isCounted(
  all: readonly StoredShipment[],
  { lines }: ChannelShipment,
  { others, grown }: { others: readonly ChannelShipment[]; grown: (line: string) => number },
): boolean {
  const fresh = others.filter((one) => knownParcel(all, one) === undefined);
  return lines.every(({ line }) => grown(line) <= piecesIn(fresh, line));
}
