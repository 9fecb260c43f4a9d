import { expect, it } from 'vitest';
import { notShippable } from './not-shippable.ts';

const line = (open: number, reason: string) => ({ open, sent: { possible: reason === '', reason } });

it('OIM-02 an order whose buyer wants to cancel is not shipped with others, and says why', () => {
  const wish = 'Der Käufer möchte stornieren.';
  expect(notShippable({ open_pieces: 2, lines: [line(0, 'Alles versandt.'), line(2, wish)] })).toBe(wish);
  expect(notShippable({ open_pieces: 2, lines: [line(0, 'Alles versandt.'), line(2, '')] })).toBe('');
  // All open pieces are on lines that the list left out.
  expect(notShippable({ open_pieces: 2, lines: [line(0, 'Alles versandt.')] })).toBe('');
  expect(notShippable({ open_pieces: 0, lines: [line(0, '')] })).toBe('Es ist kein Stück mehr offen.');
});
