import { describe, expect, it } from 'vitest';
import { amountOfCents, centsOfAmount } from './amounts.ts';

describe('amounts', () => {
  it('REP-19 every amount up to a thousand euros survives the conversion in both directions', () => {
    for (let cents = 0; cents <= 100_000; cents++)
      if (centsOfAmount(JSON.parse(JSON.stringify(amountOfCents(cents)))) !== cents) throw new Error(String(cents));
    expect([
      centsOfAmount('19.9'),
      centsOfAmount('-4.00'),
      centsOfAmount(''),
      centsOfAmount('1e9'),
      centsOfAmount(Number.NaN),
    ]).toEqual([1990, -400, null, null, null]);
  });
});
