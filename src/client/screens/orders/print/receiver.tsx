import type { Person } from '#shared/orders/persons.ts';
import { addressText } from '#client/screens/orders/details/address-text.ts';
import { AddressLines } from '#client/screens/orders/details/address-lines.tsx';

/**
 * Address of a parcel. `undefined`: not loaded, or the user may not see it. `null`, or an address without lines: none is stored,
 * which the slip says, so that no parcel goes out with a blank label.
 */
export function Receiver({ receiver }: { receiver: Person | null | undefined }) {
  if (receiver === undefined) return null;
  if (receiver === null || addressText(receiver).length === 0) return <div>Keine Anschrift gespeichert</div>;
  return <AddressLines person={receiver} />;
}
