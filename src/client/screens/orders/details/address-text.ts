import type { Person } from '#shared/orders/persons.ts';

const countries = new Intl.DisplayNames(['de'], { type: 'region', fallback: 'none' });

/**
 * Returns the last line for addresses abroad: the country's name in capitals, because the
 * two-letter code is not enough for delivery.
 */
function countryLine(code: string): string {
  if (code === 'DE') return '';
  const name = /^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined;
  return name?.toLocaleUpperCase('de') ?? code;
}

/** Returns an address line by line, as it is written on a letter. */
export function addressText({ company, name, lines, postalCode, city, region, country }: Person): string[] {
  const all = [company, name, ...lines, `${postalCode} ${city}`.trim(), region, countryLine(country)];
  return all.filter((line) => line !== '');
}
