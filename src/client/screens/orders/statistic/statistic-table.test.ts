import { describe, expect, it } from 'vitest';
import type { StatisticRow } from '#shared/orders/statistic.ts';
import { changeOf, statisticCells, statisticTable } from './statistic-table.ts';

type Given = Partial<StatisticRow> & { day: string; name: string };
const row = ({ day, name, ...given }: Given): StatisticRow => ({
  _id: { datum: day, marketplaceChannelName: name },
  sumSales: 0,
  count: 0,
  channel: name,
  currency: 'EUR',
  position: 0,
  orders: 0,
  cancelled: 0,
  returned: 0,
  unpriced: 0,
  ...given,
});
const range = { start: '2026-10-24', end: '2026-10-26' };
const rows = [
  row({ day: '2026-10-24', name: 'Shop', position: 2, sumSales: 0.1, count: 1, orders: 1 }),
  row({ day: '2026-10-24', name: 'Amazon', sumSales: 0.2, count: 2, orders: 2, cancelled: 1 }),
  row({
    day: '2026-10-26',
    name: 'Amazon (PLN)',
    channel: 'Amazon',
    currency: 'PLN',
    position: 1,
    sumSales: 70,
    count: 7,
  }),
  row({ day: '2026-10-26', name: 'Amazon', sumSales: 19.99, count: 3, orders: 1, unpriced: 1 }),
];

describe('the table of the order statistic', () => {
  it("ORD-03 has every day of the range and two columns per channel, in the order of the channels' positions", () => {
    const { days, lines } = statisticTable(rows, range);
    expect(days).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
    expect(lines.map(({ name, cents, pieces }) => [name, cents, pieces])).toEqual([
      ['Amazon', [20, 0, 1999], [2, 0, 3]],
      ['Amazon (PLN)', [0, 0, 7000], [0, 0, 7]],
      ['Shop', [10, 0, 0], [1, 0, 0]],
    ]);
  });

  it('ORD-03 revenue in another currency is left out of the sum while no rate is known; its pieces are counted', () => {
    const { total, sums } = statisticTable(rows, range);
    expect(total).toEqual({ cents: 2029, pieces: 13, orders: 4, cancelled: 1, returned: 0, unpriced: 1 });
    expect(sums.map(({ cents, pieces }) => [cents, pieces])).toEqual([
      [30, 3],
      [0, 0],
      [1999, 10],
    ]);
  });

  it('ORD-03 revenue in another currency is added to the sum at the rate of the day', () => {
    const euro = { cents: 1667, by: 'reference', day: '2026-10-23' } as const;
    const table = statisticTable(
      rows.map((one) => (one.currency === 'PLN' ? { ...one, euro } : one)),
      range,
    );
    expect([table.total.cents, table.sums[2]?.cents]).toEqual([2029 + 1667, 1999 + 1667]);
    expect(table.lines.map(({ withoutRate }) => withoutRate)).toEqual([0, 0, 0]);
    expect(table.lines[1]?.euro).toEqual([null, null, euro]);
    const [head, , , last] = statisticCells(table);
    expect([head?.slice(3, 6), last?.slice(3, 6)]).toEqual([
      ['Amazon (PLN) Umsatz (PLN)', 'Amazon (PLN) Umsatz in EUR', 'Amazon (PLN) Menge'],
      ['70,00', '16,67', '7'],
    ]);
    expect(
      statisticTable([row({ day: '2026-10-26', name: 'X', currency: 'PLN', sumSales: 1, euro: null })], range),
    ).toMatchObject({ lines: [{ withoutRate: 1 }], total: { cents: 0 } });
  });

  it('ORD-03 is exported with the same numbers as a spreadsheet file', () => {
    expect(statisticCells(statisticTable(rows.slice(0, 2), { start: '2026-10-24', end: '2026-10-24' }))).toEqual([
      [
        'Datum',
        'Amazon Umsatz (EUR)',
        'Amazon Menge',
        'Shop Umsatz (EUR)',
        'Shop Menge',
        'Gesamtmenge',
        'Bestellungen',
      ],
      ['2026-10-24', '0,20', '2', '0,10', '1', '3', '3'],
      ['∑ Summe', '0,20', '2', '0,10', '1', '3', '3'],
    ]);
  });

  it('a change is relative to the previous value, and null if that was zero', () => {
    expect(changeOf(15, 10)).toBeCloseTo(0.5);
    expect(changeOf(0, 10)).toBe(-1);
    expect([changeOf(5, 0), changeOf(0, 0)]).toEqual([null, null]);
  });
});
