import type { Person } from '#shared/orders/persons.ts';
import { countryCode } from './countries.ts';
import { plainTitle } from '#orders/files/order-columns.ts';

/** Column titles of an address: first the titles of the delivery address, then those that may also be the payer's. */
const titles = {
  name: [
    [
      'recipient-name',
      'empfänger',
      'lieferadresse name',
      'shipping name',
      'liefername',
      'name des empfängers',
      'ship to name',
      'full name (shipping)',
    ],
    [],
  ],
  firstName: [
    [
      'liefervorname',
      'lieferadresse vorname',
      'lieferanschrift vorname',
      'shipping first name',
      'first name (shipping)',
      'delivery first name',
    ],
    ['vorname', 'first name', 'first name (billing)', 'billing first name'],
  ],
  lastName: [
    [
      'liefernachname',
      'lieferadresse nachname',
      'lieferanschrift nachname',
      // JTL's last name; without a first name it is the whole name.
      'lieferanschrift name',
      'shipping last name',
      'last name (shipping)',
      'delivery last name',
    ],
    ['nachname', 'last name', 'last name (billing)', 'billing last name'],
  ],
  company: [
    [
      'lieferfirma',
      'lieferadresse firma',
      'lieferanschrift firma',
      'shipping company',
      'ship-company',
      'company (shipping)',
      'delivery company',
    ],
    ['firma', 'company', 'company (billing)', 'billing company'],
  ],
  street: [
    [
      'ship-address-1',
      'lieferstraße',
      'lieferstrasse',
      'shipping address1',
      'shipping street',
      'versandadresse 1',
      'ship to address 1',
      'lieferadresse straße',
      'lieferadresse strasse',
      'lieferanschrift straße',
      'lieferanschrift strasse',
      'address 1&2 (shipping)',
      'address 1 (shipping)',
      'delivery street',
    ],
    ['straße', 'strasse', 'address 1&2 (billing)', 'address 1 (billing)', 'billing address 1'],
  ],
  house: [
    [
      'lieferhausnummer',
      'lieferadresse hausnummer',
      'lieferanschrift hausnummer',
      'shipping house number',
      'delivery house no',
    ],
    ['hausnummer', 'hausnr', 'hausnr.', 'haus-nr', 'haus-nr.', 'house number'],
  ],
  street2: [
    [
      'ship-address-2',
      'lieferadresszusatz',
      'lieferadresse adresszusatz',
      'lieferanschrift adresszusatz',
      'shipping address2',
      'versandadresse 2',
      'ship to address 2',
      'address 2 (shipping)',
    ],
    ['adresszusatz', 'adresszusatz 1', 'address 2 (billing)', 'billing address 2'],
  ],
  street3: [['ship-address-3', 'shipping address3'], ['adresszusatz 2']],
  postalCode: [
    [
      'ship-postal-code',
      'liefer-plz',
      'lieferplz',
      'shipping zip',
      'shipping postcode',
      'versand-plz',
      'ship to zip',
      'lieferadresse plz',
      'lieferadresse postleitzahl',
      'lieferanschrift plz',
      'postcode (shipping)',
      'delivery zip',
    ],
    ['plz', 'postleitzahl', 'postcode (billing)', 'billing postcode'],
  ],
  city: [
    [
      'ship-city',
      'lieferort',
      'lieferadresse ort',
      'lieferanschrift ort',
      'shipping city',
      'versandort',
      'ship to city',
      'city (shipping)',
      'delivery city',
    ],
    ['ort', 'stadt', 'city (billing)', 'billing city'],
  ],
  region: [
    [
      'ship-state',
      'shipping province',
      'shipping state',
      'versandbundesland',
      'ship to state',
      'state code (shipping)',
    ],
    ['bundesland', 'region', 'state code (billing)', 'billing state'],
  ],
  country: [
    [
      'ship-country',
      'lieferland',
      'lieferadresse land',
      'lieferanschrift land',
      'shipping country',
      'versandland',
      'ship to country',
      'country code (shipping)',
      'land (lieferung)',
      'lieferung land',
      'land (lieferadresse)',
      'lieferland iso',
      'shipping country code',
      'ship to country code',
      'country (shipping)',
      'delivery country',
      'delivery country code',
    ],
    [
      'land',
      'country',
      'country code (billing)',
      'billing country',
      'land iso',
      'land (iso)',
      'ländercode',
      'country code',
      'rechnungsland',
      'land (rechnung)',
      'rechnung land',
      'rechnungsadresse land',
      'rechnungsanschrift land',
      'billing country code',
      'country (billing)',
    ],
  ],
  email: [
    ['lieferemail', 'delivery email', 'shipping email'],
    [
      'buyer-email',
      'email',
      'e-mail-adresse',
      'e-mail des käufers',
      'email (billing)',
      'billing email',
      'customer email',
    ],
  ],
  phone: [
    [
      'ship-phone-number',
      'liefertelefon',
      'shipping phone',
      'telefon des empfängers',
      'ship to phone',
      'phone (shipping)',
      'delivery phone',
    ],
    ['telefon', 'telefonnummer', 'phone', 'buyer-phone-number', 'phone (billing)', 'billing phone'],
  ],
} as const;
type Part = keyof typeof titles;
/** Parts of which a delivery address has at least one; if a row has none, the parcel goes to the payer. */
const decisive: readonly Part[] = ['name', 'lastName', 'company', 'street', 'postalCode', 'city'];
/** Parts that name the receiver; if a row leaves them all empty, the payer receives the parcel. */
const receivers: readonly Part[] = ['name', 'firstName', 'lastName', 'company'];
const places: readonly Part[] = ['street', 'postalCode', 'city'];
/** Parts that mean nothing without their street. */
const ofStreet: ReadonlySet<Part> = new Set(['house', 'street2', 'street3', 'region']);
/** Parts that belong to the buyer wherever the parcel goes. */
const shared: ReadonlySet<Part> = new Set(['email', 'phone']);

const plainTitles = new Set(Object.values(titles).flatMap((kinds) => kinds.flat().map(plainTitle)));
const ofBuyer = /kunde|käufer|besteller|empfänger|buyer|customer|recipient|billing|rechnungs(?:name|adresse|anschrift)/;

/** Returns the indexes of the columns that identify the buyer or the delivery address. */
export const buyerColumns = (names: readonly string[]): number[] =>
  names.flatMap((title, index) => (plainTitles.has(title) || ofBuyer.test(title) ? [index] : []));

export type RowAddress = { country: string; person: Person | undefined };
type Row = readonly string[];

/** Returns a reader of addresses from rows of a table with these titles, as `plainTitle` returns them. */
export function addressReader(names: readonly string[]): (record: Row) => RowAddress {
  const known = new Map<string, readonly number[]>();
  const columnsOf = (part: Part, kind: 0 | 1): readonly number[] => {
    const key = `${part} ${kind}`;
    const called: readonly string[] = titles[part][kind];
    // Of columns with the same name the first: the second belongs to another address.
    const found = known.get(key) ?? called.map((title) => names.indexOf(plainTitle(title))).filter((at) => at !== -1);
    known.set(key, found);
    return found;
  };
  const has = (part: Part, kind: 0 | 1) => columnsOf(part, kind).length > 0;
  // A program may write an empty column of its own next to the one that people fill.
  const text = (record: Row, part: Part, kind: 0 | 1) =>
    columnsOf(part, kind)
      .map((column) => record[column]?.trim() ?? '')
      .find((one) => one !== '') ?? '';
  // Without columns of a delivery address, what else is said of the delivery applies to the only address.
  const hasOne = decisive.every((part) => !has(part, 0));
  const hasTwo = places.some((part) => has(part, 0) && has(part, 1));
  /** Whether a delivery address may take this part from columns that other tables use for the payer. */
  const mayBorrow = (record: Row, part: Part): boolean => {
    if (shared.has(part)) return true;
    if (receivers.includes(part)) {
      const isNobody = receivers.every((one) => text(record, one, 0) === '');
      return isNobody && (part !== 'company' || text(record, 'firstName', 1) + text(record, 'lastName', 1) === '');
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
    const person = personOf(cell);
    const country = countryCode(cell('country'));
    const isSomebody = person.name !== '' || person.company !== '';
    const postalCode = wholePostalCode(country, person.postalCode);
    return { country, person: isSomebody ? { ...person, country, postalCode } : undefined };
  };
}

/** German postal codes have five digits; spreadsheets drop a leading zero. */
const wholePostalCode = (country: string, code: string): string =>
  country === 'DE' && /^\d{4}$/.test(code) ? `0${code}` : code;

function personOf(cell: (part: Part) => string): Person {
  const country = cell('country');
  const street = `${cell('street')} ${cell('house')}`.trim();
  return {
    name: cell('name') === '' ? `${cell('firstName')} ${cell('lastName')}`.trim() : cell('name'),
    company: cell('company'),
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
