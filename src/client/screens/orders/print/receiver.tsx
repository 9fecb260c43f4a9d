import type { Person } from '#shared/orders/persons.ts';
import { addressText } from '#client/screens/orders/details/address-text.ts';
import { AddressLines } from '#client/screens/orders/details/address-lines.tsx';

/**
 * Where a parcel goes. `undefined`: it is not known yet, or the visitor may not see it. `null`, or an address without a line: none is
 * stored, which the slip says, so that the parcel is not labelled blank.
 */
export function Receiver({ receiver }: { receiver: Person | null | undefined }) {
  if (receiver === undefined) return null;
  if (receiver === null || addressText(receiver).length === 0) return <div>Keine Anschrift gespeichert</div>;
  return <AddressLines person={receiver} />;
}
