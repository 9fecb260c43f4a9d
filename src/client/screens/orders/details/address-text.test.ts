import { expect, it } from 'vitest';
import { Person } from '#shared/orders/persons.ts';
import { addressText } from './address-text.ts';

const person = { name: 'Kanari Vogel', lines: ['Käfigweg 1'], postalCode: '1010', city: 'Wien' };
const last = (country: string) => addressText(Person.parse({ ...person, country })).at(-1);

it("a foreign address ends with the country's name in capitals, a domestic one with its town", () => {
  expect(['AT', 'CH', 'LU'].map(last)).toEqual(['ÖSTERREICH', 'SCHWEIZ', 'LUXEMBURG']);
  expect(['DE', ''].map(last)).toEqual(['1010 Wien', '1010 Wien']);
  // A text that is not a country code is printed unchanged.
  expect(['QX', '1'].map(last)).toEqual(['QX', '1']);
});
