import type { Person } from '#shared/orders/persons.ts';
import { addressText } from '#client/screens/orders/details/address-text.ts';
import { AddressLines } from '#client/screens/orders/details/address-lines.tsx';

/** Where a parcel goes. undefined: it is not known yet, or not the visitor's to see; null: none is stored, as little as where it has no line; nobody must find that out at the post office. */
export function Receiver({ receiver }: { receiver: Person | null | undefined }) {
  if (receiver === undefined) return null;
  if (receiver === null || addressText(receiver).length === 0) return <div>Keine Anschrift gespeichert</div>;
  return <AddressLines person={receiver} />;
}
