import type { Person } from '#shared/orders/persons.ts';
import { addressText } from './address-text.ts';

/** An address as it is written on a letter. */
export function AddressLines({ person }: { person: Person }) {
  return (
    <>
      {addressText(person).map((line, index) => (
        <div key={`${index} ${line}`}>{line}</div>
      ))}
    </>
  );
}
