import type { Person } from '#shared/orders/persons.ts';

/** An address as it stands on a letter. */
export function AddressLines({ person }: { person: Person }) {
  const { company, name, lines, postalCode, city, region, country } = person;
  const all = [company, name, ...lines, `${postalCode} ${city}`.trim(), region, country === 'DE' ? '' : country];
  return (
    <>
      {all
        .filter((line) => line !== '')
        .map((line, index) => (
          <div key={`${index} ${line}`}>{line}</div>
        ))}
    </>
  );
}
