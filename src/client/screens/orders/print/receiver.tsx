import type { Person } from '#shared/orders/persons.ts';
import { AddressLines } from '#client/screens/orders/details/address-lines.tsx';

/** Where a parcel goes. undefined: it is not known yet, or not the visitor's to see; null: none is stored, which nobody must find out at the post office. */
export function Receiver({ receiver }: { receiver: Person | null | undefined }) {
  if (receiver === undefined) return null;
  return receiver === null ? <div>Keine Anschrift gespeichert</div> : <AddressLines person={receiver} />;
}
