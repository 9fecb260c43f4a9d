import type { ChannelLine, ChannelShipment } from '#marketplaces/orders-port.ts';
import type { StoredLine, StoredShipment } from './order-record.ts';

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
 * The parcel that stands at the channel under another reference now: it shows the old one no more, and one
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

/** By how many pieces more than stand here the channel counts a line as shipped; without end where it says nothing of the line. */
export function grownBy(lines: readonly StoredLine[], counts: readonly ChannelLine[], id: string): number {
  const [stored, said] = [lines.find(({ line_id }) => line_id === id), counts.find(({ line }) => line === id)];
  return stored === undefined || said === undefined ? Infinity : said.shipped - stored.shipped;
}

/** How many pieces of a line live parcels hold. */
const piecesIn = (parcels: readonly ChannelShipment[], id: string): number =>
  parcels
    .filter(({ state }) => state !== 'cancelled')
    .flatMap(({ lines }) => lines)
    .reduce((sum, { line, quantity }) => sum + (line === id ? quantity : 0), 0);

/**
 * How many pieces of a line may be booked for parcels that are new here: no more than the channel counts, or than all parcels hold that it shows
 * where its count lags behind. Without it an order that was packed anew would have its pieces shipped twice. `grown`: by what its count exceeds
 * what stands here.
 */
export const bookable = (
  { line_id, shipped }: StoredLine,
  { shown, grown }: { shown: readonly ChannelShipment[]; grown: number },
): number => Math.max(0, grown, piecesIn(shown, line_id) - shipped);

/**
 * Whether the pieces of a parcel that is new here are booked already: what the channel counts beyond what stands here is in its other new
 * parcels. `others`: parcels that it shows beside this one, without those that we sent ourselves and nobody has read back.
 */
export function isCounted(
  all: readonly StoredShipment[],
  { lines }: ChannelShipment,
  { others, grown }: { others: readonly ChannelShipment[]; grown: (line: string) => number },
): boolean {
  const fresh = others.filter((one) => knownParcel(all, one) === undefined);
  return lines.every(({ line }) => grown(line) <= piecesIn(fresh, line));
}
