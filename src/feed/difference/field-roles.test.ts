import { expect, test } from 'vitest';
import { isOfOffer, isPrice, stockRole } from './field-roles.ts';

test.each([
  ['Preis', true, undefined],
  ['VK brutto', true, undefined],
  ['priceQuantity', false, undefined],
  ['Preisgruppe', false, undefined],
  ['Bestand', false, 'stock'],
  ['quantity', false, 'stock'],
  ['VK-Bestand', false, 'stock'],
  ['Bestand VK-Lager', true, 'stock'],
])('a change of „%s“ is judged as that of a price: %s, or of %s', (name, price, stock) => {
  expect([isPrice(name), stockRole(name, true)]).toEqual([price, stock]);
});

test.each(['special_price', 'special_price_from_date', 'Sonderpreis Startdatum', 'Aktionspreis Zeitraum'])(
  '„%s“ ends with its campaign',
  (name) => {
    expect([isOfOffer(name), isOfOffer('Preisdatum')]).toEqual([true, false]);
  },
);
