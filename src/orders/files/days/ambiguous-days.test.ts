import { expect, test } from 'vitest';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (...days: string[]) =>
  readOrderFile(
    new TextEncoder().encode(
      ['Order Number,Order Date,SKU,Quantity', ...days.map((day, index) => `U-${index},${day},A-1,1`)].join('\n'),
    ),
  );
const placed = (...days: string[]) => read(...days).orders.map((order) => order.placed_at);

test('OIM-01 days with slashes are read if a number above 12 shows where the month stands', () => {
  expect(placed('12/1/2010 8:26', '01/31/26', '1/2/2026 2:05 PM', '1/2/2026 12:05:07 am')).toEqual([
    '2010-12-01T07:26:00.000Z',
    '2026-01-30T23:00:00.000Z',
    '2026-01-02T13:05:00.000Z',
    '2026-01-01T23:05:07.000Z',
  ]);
  expect(placed('31/01/2026', '1/2/2026 08:00')).toEqual(['2026-01-30T23:00:00.000Z', '2026-02-01T07:00:00.000Z']);
});

test('OIM-01 days with hyphens are read like those with slashes', () => {
  expect(placed('31-01-2026', '1-2-2026 08:00')).toEqual(['2026-01-30T23:00:00.000Z', '2026-02-01T07:00:00.000Z']);
  expect(placed('01-31-2026 2:05 PM', '02-01-26')).toEqual(['2026-01-31T13:05:00.000Z', '2026-01-31T23:00:00.000Z']);
  for (const days of [['05-11-2026'], ['26-01-31'], ['31-01/2026'], ['31-01-2026', '01-31-2026']])
    expect(read(...days).orders, days.join()).toEqual([]);
});

test('OIM-01 days with slashes whose order the file does not show, or shows in two ways, are refused', () => {
  for (const days of [['1/2/2026', '02/01/2026'], ['31/1/2026', '1/31/2026'], ['2026/01/31'], ['gestern', '1/31/2026']])
    expect(read(...days)).toMatchObject({
      orders: [],
      rejected: days.map(() => ({ message: expect.stringMatching(/^Bestelldatum: „/) })),
    });
  expect(read('13/13/2026').orders).toEqual([]);
});

test('OIM-01 days with slashes that have an offset keep it', () => {
  expect(placed('1/31/2026 08:26 +0000', '1/12/2026 08:26 +0000')).toEqual([
    '2026-01-31T08:26:00.000Z',
    '2026-01-12T08:26:00.000Z',
  ]);
  expect(placed('5/11/2026 08:26 +0100', '31/1/2026 2:05 PM +0100')).toEqual([
    '2026-11-05T07:26:00.000Z',
    '2026-01-31T13:05:00.000Z',
  ]);
  expect(placed('5/11/2026 08:26 +0100')).toEqual([]);
});

test('OIM-01 a day with slashes and other text after it, or that may begin with its year, is refused', () => {
  for (const day of [
    '1/31/2026 2:05 PM PST',
    '1/31/2026 2:05:07.000 PM',
    '1/31/2026 2 PM',
    '1/31/2026x',
    '1/31/2026/7',
    '26/01/31',
  ])
    expect(read(day), day).toMatchObject({
      orders: [],
      rejected: [{ message: expect.stringMatching(/^Bestelldatum: „/) }],
    });
});
