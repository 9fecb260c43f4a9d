import { describe, expect, it } from 'vitest';
import { alarmWords, SALES, salesAlarm, type SalesAlarmInput } from './sales-alarm.ts';

const now = Date.UTC(2026, 0, 15, 12);
const minutes = 60_000;
const hours = 60 * minutes;
const orders = (count: number, minutesAgo = 5) => Array.from({ length: count }, () => now - minutesAgo * minutes);
const cut = [{ at: now - 2 * hours, from: 1500, to: 1200 }];

/** Returns the alarm for an item never bought, of an account known for four weeks, whose price fell two hours ago. */
const alarmFor = (change: Partial<SalesAlarmInput>) =>
  salesAlarm({
    now,
    orders: [],
    earlier: 0,
    knownSince: now - SALES.history,
    prices: cut,
    released: null,
    ...change,
  });

describe('the sales alarm', () => {
  it.each([
    ['an item never bought before', 0, SALES.history, [4, 5, 6], [false, true, true]],
    // 336 in 672 hours are one in two hours: ten times that is five.
    ['one order in two hours', 336, SALES.history, [4, 5, 6], [false, false, true]],
    ['two orders in an hour', 1344, SALES.history, [19, 20, 21], [false, false, true]],
    // A history of a week counts by its own hours, one of three hours as if it were a day.
    ['one order an hour, known for a week', 168, 168 * hours, [9, 10, 11], [false, false, true]],
    ['24 orders in the first three hours', 24, 3 * hours, [9, 10, 11], [false, false, true]],
    ['known for longer than four weeks', 672, 2 * SALES.history, [9, 10, 11], [false, false, true]],
  ] as const)('REP-19 %s: no alarm at the threshold, an alarm above it', (_name, earlier, known, counts, holds) => {
    const found = counts.map(
      (count) => alarmFor({ orders: orders(count), earlier, knownSince: now - known }) !== undefined,
    );
    expect(found).toEqual(holds);
  });

  it('REP-19 only orders of the last 15 minutes count, and none from before the item was released', () => {
    expect(alarmFor({ orders: [...orders(4), ...orders(9, 15)] })).toBeUndefined();
    expect(alarmFor({ orders: [...orders(4), ...orders(1, 14.9)] })).toMatchObject({ orders: 5, usual: 0 });
    const released = { at: now - 3 * minutes, price: 1300 };
    expect(alarmFor({ orders: orders(50), released })).toBeUndefined();
    expect(alarmFor({ orders: [...orders(50), ...orders(5, 2)], released })).toMatchObject({ orders: 5 });
  });

  it.each([
    ['no price was submitted', [], false],
    ['the price rose', [{ at: now - hours, from: 1200, to: 1500 }], false],
    ['the price fell more than a day ago', [{ at: now - 24 * hours, from: 1500, to: 1200 }], false],
    ['the price fell just within a day', [{ at: now - 24 * hours + 1, from: 1500, to: 1200 }], true],
    ['the price fell and rose to its former value', [...cut, { at: now - hours, from: 1200, to: 1500 }], false],
    ['the price fell and rose by a cent', [...cut, { at: now - hours, from: 1200, to: 1201 }], true],
    ['the former price is unknown', [{ at: now - hours, from: null, to: 1200 }], false],
  ])('REP-19 an alarm needs a price cut: %s', (_name, prices, holds) => {
    expect(alarmFor({ orders: orders(9), prices }) !== undefined).toBe(holds);
  });

  it('REP-19 a price that was released raises no alarm for a day, a lower one does', () => {
    const released = { at: now - hours, price: 1200 };
    expect(alarmFor({ orders: orders(9), released })).toBeUndefined();
    const lower = [...cut, { at: now - 30 * minutes, from: 1200, to: 1199 }];
    expect(alarmFor({ orders: orders(9), released, prices: lower })).toMatchObject({ price: 1199, before: 1200 });
    expect(alarmFor({ orders: orders(9), released: { ...released, at: now - 24 * hours } })).toMatchObject({
      before: 1500,
    });
  });

  it('REP-19 the alarm is described in a sentence', () => {
    const words = (usual: number) =>
      alarmWords({ orders: 12, usual, price: 1200, before: 1500 }, 'EUR').replaceAll('\u00a0', ' ');
    expect(words(0)).toBe('12 Bestellungen in 15 Minuten, seit der Preis von 15,00 € auf 12,00 € sank; davor keine.');
    expect([2.25, 1, 1.04, 0.9, 0.2, 0.01].map((usual) => words(usual).split('; ')[1])).toEqual([
      'üblich sind 2,3 in der Stunde.',
      'üblich ist eine in der Stunde.',
      'üblich ist eine in der Stunde.',
      'üblich ist eine in der Stunde.',
      'üblich ist eine in 5 Stunden.',
      'üblich ist eine in 4 Tagen.',
    ]);
    expect(alarmWords({ orders: 12, usual: 0, price: 1200, before: 1500 }, '?')).toMatch(/von 15,00\u00a0\? auf/);
  });
});
