import type { Person } from '#shared/orders/persons.ts';
import { countryCode } from '#orders/files/address/countries.ts';
import { find, textAt, type XmlNode } from '#platform/text/xml-tree.ts';

/** Paths of the parties in version 1.0; version 2.1 identifies them by role. */
const places: Readonly<Record<string, readonly string[]>> = {
  delivery: ['SHIPMENT_PARTIES', 'DELIVERY_PARTY'],
  buyer: ['BUYER_PARTY'],
  invoice_recipient: ['INVOICE_PARTY'],
};

/**
 * Returns the delivery address and the invoice address. An `invoice_issuer` is the seller, except in CHECK24 files, where it is
 * the payer.
 */
export function partiesOf(info: XmlNode, isCheck24: boolean): { delivery?: Person; invoice?: Person } {
  const payer = isCheck24 ? ['invoice_recipient', 'invoice_issuer', 'invoice'] : ['invoice_recipient', 'invoice'];
  const read = (roles: readonly string[]) => partyOf(info, roles, isCheck24);
  const delivery = read(['delivery', 'buyer', 'customer', ...payer]);
  const invoice = read(payer);
  return { ...(delivery && { delivery }), ...(invoice && { invoice }) };
}

/** Returns the address of the first party with one of these roles, in this order, whose address is not empty. */
function partyOf(info: XmlNode, roles: readonly string[], isCheck24: boolean): Person | undefined {
  const parties = find(info, 'PARTIES')?.children ?? [];
  for (const role of roles) {
    const party =
      parties.find((one) => one.children.some(({ name, text }) => name === 'PARTY_ROLE' && text.trim() === role)) ??
      find(info, 'ORDER_PARTIES', ...(places[role] ?? [role]), 'PARTY');
    const address = party && find(party, 'ADDRESS');
    const person = address && personOf(address, isCheck24);
    if (person !== undefined && [person.name, person.company, person.city, ...person.lines].some((one) => one !== ''))
      return person;
  }
  return undefined;
}

function personOf(address: XmlNode, isCheck24: boolean): Person {
  const contact = find(address, 'CONTACT_DETAILS') ?? find(address, 'CONTACT');
  const either = (name: string) => textAt(address, name) || (contact === undefined ? '' : textAt(contact, name));
  const { others, ...receiver } = receiverOf(address, contact, isCheck24);
  const lines = [...others, textAt(address, 'STREET'), shortLine(textAt(address, 'ADDRESS_REMARKS'))];
  return {
    ...receiver,
    lines: lines.filter((line) => line !== ''),
    postalCode: textAt(address, 'ZIP'),
    city: textAt(address, 'CITY'),
    region: textAt(address, 'STATE'),
    country: countryOf(textAt(address, 'COUNTRY_CODED')) || countryCode(textAt(address, 'COUNTRY')),
    email: either('EMAIL'),
    phone: either('PHONE'),
  };
}

/** Characters; longer remarks are no line of a label and are left out. */
const LONGEST_REMARKS = 60;
const shortLine = (remarks: string): string =>
  remarks.length > LONGEST_REMARKS || /[\r\n]/.test(remarks) ? '' : remarks;

type Receiver = { name: string; company: string; others: string[] };

/**
 * Returns the receiver. At CHECK24 second and third name after a company are a person's, as they are without a first name;
 * otherwise they continue the first name.
 */
function receiverOf(address: XmlNode, contact: XmlNode | undefined, isCheck24: boolean): Receiver {
  const [first = '', second = '', third = ''] = ['NAME', 'NAME2', 'NAME3'].map((name) => textAt(address, name));
  const person = `${second} ${third}`.trim();
  if (isCheck24 && second !== '' && third !== '') return { name: person, company: first, others: [] };
  if (first !== '') return { name: first, company: '', others: [second, third] };
  if (person !== '' || contact === undefined) return { name: person, company: '', others: [] };
  const name = `${textAt(contact, 'FIRST_NAME')} ${textAt(contact, 'CONTACT_NAME')}`.trim();
  return { name, company: '', others: [] };
}

/** Returns the country for two or three letters, or for a region code: DE-BY. */
const countryOf = (coded: string): string => countryCode(coded) || countryCode(coded.split('-', 1)[0] ?? '');
