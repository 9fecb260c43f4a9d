import type { Person } from '#shared/orders/persons.ts';
import { addressTitles, buyerTitles } from './address-titles.ts';
import { countryCode } from './countries.ts';
import { plainTitle } from '#orders/files/order-columns.ts';

type Part = keyof typeof addressTitles;
/** Parts of which a delivery address has at least one; if a row has none, the parcel goes to the payer. */
const decisive: readonly Part[] = ['name', 'lastName', 'company', 'street', 'postalCode', 'city'];
/** Parts that name the receiver; if a row leaves them all empty, the payer receives the parcel. */
const receivers: readonly Part[] = ['name', 'firstName', 'lastName', 'company'];
const persons: readonly Part[] = ['name', 'firstName', 'lastName'];
const places: readonly Part[] = ['street', 'postalCode', 'city'];
/** Parts that mean nothing without their street. */
const ofStreet: ReadonlySet<Part> = new Set(['house', 'street2', 'street3', 'region']);
/** Parts that belong to the buyer wherever the parcel goes. */
const shared: ReadonlySet<Part> = new Set(['email', 'phone']);

const plainTitles = new Set(Object.values(addressTitles).flatMap((kinds) => kinds.flat().map(plainTitle)));
const streets = new Set(addressTitles.street.flat().map(plainTitle));
const besideName = new Set(
  (['firstName', 'company', 'street2', 'street3', 'email', 'phone'] as const).flatMap((part) =>
    addressTitles[part].flat().map(plainTitle),
  ),
);
const ofBuyer = /kunde|käufer|besteller|empfänger|buyer|customer|recipient|billing|rechnungs(?:name|adresse|anschrift)/;

/** Returns the indexes of the columns that identify the buyer or the delivery address. */
export const buyerColumns = (names: readonly string[]): number[] =>
  names.flatMap((title, index) => (plainTitles.has(title) || ofBuyer.test(title) ? [index] : []));

/**
 * Returns the column that is called just „Name“ if it leads an address, as the street's neighbour. Elsewhere it is an article or,
 * at Shopify, the number of the order.
 */
function nameBesideStreet(names: readonly string[]): number[] {
  const at = names.indexOf('name');
  const next = names.slice(at + 1).find((title) => !besideName.has(title)) ?? '';
  return at !== -1 && streets.has(next) ? [at] : [];
}

export type RowAddress = { country: string; person: Person | undefined };
type Row = readonly string[];

/** Returns a reader of addresses from rows of a table with these titles, as `plainTitle` returns them. */
export function addressReader(names: readonly string[]): (record: Row) => RowAddress {
  const known = new Map<string, readonly number[]>();
  // A column called just „Name“ holds the last name if there is one of first names.
  const bareName: Part = addressTitles.firstName[1].some((title) => names.includes(plainTitle(title)))
    ? 'lastName'
    : 'name';
  const columnsOf = (part: Part, kind: 0 | 1): readonly number[] => {
    const key = `${part} ${kind}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const called: readonly string[] = addressTitles[part][kind];
    // Of columns with the same name the first: the second belongs to another address.
    const titled = called.map((title) => names.indexOf(plainTitle(title))).filter((at) => at !== -1);
    const found = titled.length === 0 && kind === 1 && part === bareName ? nameBesideStreet(names) : titled;
    known.set(key, found);
    return found;
  };
  const has = (part: Part, kind: 0 | 1) => columnsOf(part, kind).length > 0;
  // A program may write an empty column of its own next to the one that people fill.
  const text = (record: Row, part: Part, kind: 0 | 1) =>
    columnsOf(part, kind)
      .map((column) => record[column]?.trim() ?? '')
      .find((one) => one !== '') ?? '';
  const ofBuyers = buyerTitles.map((title) => names.indexOf(plainTitle(title))).filter((at) => at !== -1);
  const buyer = (record: Row) => ofBuyers.map((column) => record[column]?.trim() ?? '').find(isLikeName) ?? '';
  // Without columns of a delivery address, what else is said of the delivery applies to the only address.
  const hasOne = decisive.every((part) => !has(part, 0));
  const hasTwo = places.some((part) => has(part, 0) && has(part, 1));
  /** Whether a delivery address may take this part from columns that other tables use for the payer. */
  const mayBorrow = (record: Row, part: Part): boolean => {
    if (shared.has(part)) return true;
    if (receivers.includes(part)) {
      const isNobody = receivers.every((one) => text(record, one, 0) === '');
      return isNobody && (part !== 'company' || persons.every((one) => text(record, one, 1) === ''));
    }
    if (has(part, 0)) return false;
    if (ofStreet.has(part)) return mayBorrow(record, 'street') && text(record, 'street', 1) !== '';
    return part === 'country' || !hasTwo;
  };
  return (record) => {
    const isNamed = decisive.some((part) => text(record, part, 0) !== '');
    const cell = (part: Part) => {
      const own = text(record, part, isNamed || (hasOne && part === 'country') ? 0 : 1);
      if (own !== '') return own;
      if (isNamed) return mayBorrow(record, part) ? text(record, part, 1) : '';
      if (hasOne && part === 'country') return text(record, part, 1);
      return shared.has(part) || !has(part, 1) ? text(record, part, 0) : '';
    };
    const titled = personOf(cell);
    const isNameless = titled.name + titled.company === '';
    const person = isNameless ? { ...titled, name: buyer(record) } : titled;
    const country = countryCode(cell('country'));
    // An address under a title that says nothing of its name is kept: it is all that is known of where the parcel goes.
    const isAddress = person.name + person.company !== '' || person.lines.length > 0;
    const postalCode = wholePostalCode(country, person.postalCode);
    return { country, person: isAddress ? { ...person, country, postalCode } : undefined };
  };
}

/** A number such as K10023 and an account such as eva_77 or eva@beispiel.de are no names. */
const isLikeName = (text: string): boolean =>
  /\p{L}/u.test(text) && !/[@_]/.test(text) && (!/\d/.test(text) || /\s/.test(text));

/** German postal codes have five digits; spreadsheets drop a leading zero. */
const wholePostalCode = (country: string, code: string): string =>
  country === 'DE' && /^\d{4}$/.test(code) ? `0${code}` : code;

function personOf(cell: (part: Part) => string): Person {
  const country = cell('country');
  const street = `${cell('street')} ${cell('house')}`.trim();
  const [name, first, last] = [cell('name'), cell('firstName'), cell('lastName')];
  // Beside a person's first and last name another name is that of the company.
  const isOfCompany = first !== '' && last !== '' && !name.toLowerCase().includes(last.toLowerCase());
  return {
    name: name === '' || isOfCompany ? `${first} ${last}`.trim() : name,
    company: cell('company') === '' && isOfCompany ? name : cell('company'),
    lines: [street, cell('street2'), cell('street3')].filter((line) => line !== ''),
    postalCode: cell('postalCode'),
    city: cell('city'),
    // An unknown country is kept as part of the region, so that the parcel is not sent without it.
    region: [cell('region'), countryCode(country) === '' ? country : ''].filter((part) => part !== '').join(', '),
    country: '',
    email: cell('email'),
    phone: cell('phone'),
  };
}
