import { expect, it } from 'vitest';
import { notShippable } from './not-shippable.ts';

it('OIM-02 an order whose buyer wants to cancel is not shipped with others, and says why', () => {
  const wish = 'Der Käufer möchte stornieren.';
  const [possible, refused] = ['', wish].map((reason) => ({ possible: reason === '', reason }));
  if (possible === undefined || refused === undefined) throw new Error('No case.');
  expect(notShippable({ open_pieces: 2, parcel: refused })).toBe(wish);
  expect(notShippable({ open_pieces: 2, parcel: possible })).toBe('');
  // Shipped from this list a moment ago, which was not loaded again.
  expect(notShippable({ open_pieces: 0, parcel: possible })).toBe('Es ist kein Stück mehr offen.');
});
