import { centsOfAmount, pieceOfPrice } from '#marketplaces/amounts.ts';
import type { Person } from '#shared/orders/persons.ts';
import { countryCode } from '#orders/files/address/countries.ts';
import type { DraftOrder } from '#orders/files/order-file.ts';
import { shownCell } from '#orders/files/rejection-text.ts';

export type Line = DraftOrder['lines'][number];

/** What one piece costs; a price with parts of a cent is rounded once, for all pieces. */
export function priceOf(amount: string, pieces: number): Pick<Line, 'unit_cents' | 'discount_cents'> {
  const piece = /\.\d\d\d/.test(amount) ? pieceOfPrice(amount, pieces) : null;
  return piece === null
    ? { unit_cents: centsOfAmount(amount) }
    : { unit_cents: piece.unit, discount_cents: piece.discount };
}

/** Why an order is refused whose amount is none, in words for people; '' is no amount on purpose. */
export function amountFault(position: number, label: string, amount: string): string | undefined {
  if (amount === '' || centsOfAmount(amount) !== null) return undefined;
  return `Position ${position}, ${label}: „${shownCell(amount)}“ ist kein Betrag. Bitte schreiben Sie ihn so: 1234.50`;
}

type Parts = Record<
  'first' | 'last' | 'company' | 'postalCode' | 'city' | 'region' | 'country' | 'email' | 'phone',
  string
> & {
  lines: readonly string[];
};

/** The person of an address; undefined where it names neither somebody nor a place. */
export function personOf({ first, last, lines, country, ...parts }: Parts): Person | undefined {
  const name = `${first} ${last}`.trim();
  const street = lines.filter((line) => line !== '');
  if (name + parts.company + parts.city === '' && street.length === 0) return undefined;
  const code = countryCode(country);
  const region = [parts.region, code === '' ? country : ''].filter((part) => part !== '').join(', ');
  return { ...parts, name, lines: street, country: code, region };
}

/** The delivery and the invoice of an order; without a delivery the parcel goes to the payer. */
export function personsOf(delivery: Person | undefined, invoice: Person | undefined): DraftOrder['persons'] {
  const receiver = delivery ?? invoice;
  return { ...(receiver && { delivery: receiver }), ...(invoice && { invoice }) };
}

/** Returns why an order is refused whose state this format does not know, as a text for people: an unknown state may mean that nothing is to be shipped. */
export const stateFault = (state: string, known: ReadonlySet<string>): string | undefined =>
  state === '' || known.has(state)
    ? undefined
    : `Status: „${shownCell(state)}“ ist unbekannt. Ob die Bestellung noch zu versenden ist, ist daraus nicht zu erkennen; sie wurde nicht übernommen. Bitte sehen Sie beim Marktplatz nach.`;

/** The earliest of moments, as texts of the same clock; undefined where none is said. */
export const earliest = (moments: readonly string[]): string | undefined =>
  moments.filter((moment) => moment !== '').toSorted()[0];
