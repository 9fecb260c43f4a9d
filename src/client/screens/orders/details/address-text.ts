import type { Person } from '#shared/orders/persons.ts';

const countries = new Intl.DisplayNames(['de'], { type: 'region', fallback: 'none' });

/** What leaves the country bears the name of where it goes in capitals, in a line of its own at the end; two letters lead it nowhere. */
function countryLine(code: string): string {
  if (code === 'DE') return '';
  const name = /^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined;
  return name?.toLocaleUpperCase('de') ?? code;
}

/** An address line by line, as it stands on a letter. */
export function addressText({ company, name, lines, postalCode, city, region, country }: Person): string[] {
  const all = [company, name, ...lines, `${postalCode} ${city}`.trim(), region, countryLine(country)];
  return all.filter((line) => line !== '');
}
