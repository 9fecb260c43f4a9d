import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availableOf, bufferOf, MOST_PIECES, offeredOf } from './numbers.ts';

const pieces = fc.integer({ min: 0, max: MOST_PIECES });
const percent = fc.integer({ min: 0, max: 100 });
const buffer = fc.record({ buffer_pieces: fc.integer({ min: 0, max: 1000 }), buffer_percent: percent });
const terms = fc.record({
  active: fc.boolean(),
  floor: fc.integer({ min: 0, max: 100 }),
  cap: fc.option(pieces),
  share: percent,
});

describe('the quantity for sale', () => {
  it('is never below 0 and never above the stock', () => {
    fc.assert(
      fc.property(pieces, pieces, buffer, terms, (onHand, reserved, buffer, terms) => {
        const available = availableOf({ onHand, reserved }, buffer);
        const offered = offeredOf(available, terms);
        return available >= 0 && available <= onHand && offered >= 0 && offered <= available;
      }),
    );
  });

  it('never falls when stock rises, and never rises when more is reserved', () => {
    fc.assert(
      fc.property(pieces, pieces, pieces, buffer, terms, (onHand, more, reserved, buffer, terms) => {
        const offered = (stock: { onHand: number; reserved: number }) => offeredOf(availableOf(stock, buffer), terms);
        const before = offered({ onHand, reserved });
        return (
          offered({ onHand: onHand + more, reserved }) >= before &&
          offered({ onHand, reserved: reserved + more }) <= before
        );
      }),
    );
  });

  it.each([
    ['an inactive channel offers 0', 50, { active: false, floor: 0, cap: null, share: 100 }, 0],
    ['a stock at the floor is offered as 0', 3, { active: true, floor: 3, cap: null, share: 100 }, 0],
    ['a stock above the floor is offered in full', 4, { active: true, floor: 3, cap: null, share: 100 }, 4],
    ['a share is rounded down to whole pieces', 7, { active: true, floor: 0, cap: null, share: 50 }, 3],
    ['the cap is applied after the share', 90, { active: true, floor: 0, cap: 10, share: 50 }, 10],
  ] as const)('%s', (_title, available, terms, offered) => {
    expect(offeredOf(available, terms)).toBe(offered);
  });

  it('is reduced by a number of pieces and a percentage, rounded up to whole pieces', () => {
    expect(bufferOf(25, { buffer_pieces: 2, buffer_percent: 10 })).toBe(5);
    expect(availableOf({ onHand: 25, reserved: 4 }, { buffer_pieces: 2, buffer_percent: 10 })).toBe(16);
  });
});
