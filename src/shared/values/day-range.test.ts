import { expect, it } from 'vitest';
import { DayRange } from './day-range.ts';
import { moment } from './schema.ts';

it.each([
  ['morgen', '2026-11-01', 'start'],
  ['2026-11-01', '1.12.2026', 'end'],
  ['1969-12-31', '1960-01-01', 'start end'],
  ['2026-11-02', '2026-11-01', 'end'],
  ['2024-08-15', '2026-10-24', 'start'],
])('ORD-04 the range from %s to %s has a fault in %s alone', (start, end, faults) => {
  const { error } = DayRange.safeParse({ start, end });
  expect(error?.issues.map(({ path }) => path.join('.')).join(' ')).toBe(faults);
});

it('ORD-04 a text that is no moment has that fault alone', () => {
  expect(moment.safeParse('gestern').error?.issues).toHaveLength(1);
});
