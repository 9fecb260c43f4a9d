import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitOf } from './gate-limits.ts';
import { parsePrice } from '#repricer/model/price-text.ts';

describe('the two parsers of price bounds', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,, €-+eEUR')), maxLength: 14 }),
    fc
      .tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.constantFrom('.', ','))
      .map(([n, mark]) => (n / 100).toFixed(2).replace('.', mark)),
    fc.integer({ min: 0, max: 9_999_999 }).map((n) => (n / 100).toLocaleString('de-DE', { minimumFractionDigits: 2 })),
  );
  it("REP-19 yield the same price, and the gate's none where the other has none or too large a one", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.double({ min: -1, max: 1e9, noNaN: true })), (value) => {
        for (const [side, rounding] of [
          ['min', 'up'],
          ['max', 'down'],
          ['standard', 'half'],
        ] as const) {
          const strict = limitOf(value, side);
          const usual = parsePrice(value, rounding);
          const shared = usual !== undefined && usual <= 99_999_999 ? usual : null;
          expect([value, side, strict]).toEqual([value, side, shared]);
        }
      }),
      { numRuns: 5000, examples: [['E UR9'], ['E€UR9'], ['EEURUR9']] },
    );
  });
});
