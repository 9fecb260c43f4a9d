import type { Person } from '#marketplaces/orders-port.ts';

/** As in the schema of the API's persons. */
const MOST = {
  text: 200,
  lines: 5,
  postalCode: 20,
  place: 100,
  country: 2,
  email: 254,
  phone: 50,
  gifts: 50,
  gift: 1000,
};

/**
 * Returns personal data cut to the lengths that our API answers: a marketplace knows no such limits, and a single long text would make the
 * slips of all orders printed with it unreadable. Members stay in their order, so that equal data stays equal.
 */
export function fittedPerson(person: Person): Person {
  const { name, company, lines, postalCode, city, region, country, email, phone, gifts } = person;
  const cut = (text: string, most: number) => (text.length > most ? text.slice(0, most).toWellFormed() : text);
  return {
    ...person,
    name: cut(name, MOST.text),
    company: cut(company, MOST.text),
    lines: lines.slice(0, MOST.lines).map((line) => cut(line, MOST.text)),
    postalCode: cut(postalCode, MOST.postalCode),
    city: cut(city, MOST.place),
    region: cut(region, MOST.place),
    // A longer code is another list's: its beginning may be another country, as AUT begins with Australia's.
    country: country.length > MOST.country ? '' : country,
    email: cut(email, MOST.email),
    phone: cut(phone, MOST.phone),
    ...(gifts && { gifts: gifts.slice(0, MOST.gifts).map((text) => cut(text, MOST.gift)) }),
  };
}
