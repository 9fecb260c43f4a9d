import { expect, test } from 'vitest';
import { Person } from '#shared/orders/persons.ts';
import { fittedPerson } from './fitted-person.ts';

const long = 'ä'.repeat(5000);

test('OIM-02 an address of a marketplace with texts of any length can be read again', () => {
  const texts = { name: long, company: long, postalCode: long, city: long, region: long, country: 'DEU', email: long };
  const person = {
    ...texts,
    phone: `+49 89 ${'1'.repeat(80)}`,
    lines: Array(9).fill(long),
    gifts: Array(99).fill(long),
  };
  const fitted = fittedPerson(person);
  expect(Person.parse(fitted)).toEqual(fitted);
  expect(fitted.lines).toHaveLength(5);
});

test('one that fits stays equal to the letter: it is no new version', () => {
  const [name, company, city] = ['Kanari Vogel', '', 'Köln'];
  const person = {
    phone: '1',
    name,
    company,
    lines: ['Kanariweg 1'],
    postalCode: '50667',
    city,
    region: '',
    country: 'DE',
    email: '',
  };
  expect(JSON.stringify(fittedPerson(person))).toBe(JSON.stringify(person));
  const gifts = ['S1: Nachricht: „Alles Gute!“'];
  expect(JSON.stringify(fittedPerson({ ...person, gifts }))).toBe(JSON.stringify({ ...person, gifts }));
});
