import { describe, expect, it } from 'vitest';
import type { OrderRow } from '#shared/orders/schema.ts';
import type { StatisticRow } from '#shared/orders/statistic.ts';
import { addDays, dayCount } from '#client/ui/text/days.ts';
import { readyOf } from './ready.ts';
import { salesOf, salesRanges } from './sales.ts';

const waiting = { open: 3, due: 2, overdue: 1, cancel_requests: 0, unclear: 0 };
const row = (datum: string, channel: string, sumSales: number, more: Partial<StatisticRow> = {}): StatisticRow => ({
  _id: { datum, marketplaceChannelName: channel },
  channel,
  position: 0,
  currency: 'EUR',
  sumSales,
  count: 1,
  orders: 1,
  cancelled: 0,
  returned: 0,
  unpriced: 0,
  ...more,
});
const when = { today: '2026-11-23', now: new Date('2026-11-23T10:00:00Z') };

describe('figures of the overview', () => {
  it('compare the full days of the last 30, without today, with as many before them', () => {
    const rows = [row('2026-10-24', 'a', 10), row('2026-10-25', 'a', 20), row('2026-11-23', 'b', 5.5)];
    const { revenue, orders, ofChannel } = salesOf(rows, waiting, [], when);
    expect(revenue).toMatchObject({ now: 2550, over: 2000, before: 1000 });
    expect(revenue.days).toHaveLength(30);
    expect([revenue.days[0], revenue.days[29]]).toEqual([2000, 550]);
    expect(orders).toMatchObject({ now: 2, over: 1, before: 1 });
    expect(ofChannel).toEqual({ a: 2000, b: 550 });
  });

  it.each(['2026-02-28', '2026-03-01', '2026-10-31', '2026-11-30'])(
    'compare 29 days with the 29 before them, also on %s',
    (today) => {
      const { recent, over, earlier } = salesRanges(today);
      expect([dayCount(recent), dayCount(over), dayCount(earlier)]).toEqual([30, 29, 29]);
      expect([addDays(over.end, 1), addDays(earlier.end, 1)]).toEqual([today, over.start]);
    },
  );

  it('count only euro as revenue, but orders of every currency', () => {
    const { revenue, orders } = salesOf([row('2026-11-20', 'a', 40, { currency: 'PLN' })], waiting, [], when);
    expect([revenue.now, orders.now]).toEqual([0, 1]);
  });

  it('sum the overdue orders by currency, without those due later today, and say if the sum is incomplete', () => {
    const due = (ship_by: string, total_cents: number | null, currency = 'EUR') =>
      ({ ship_by, total_cents, currency }) as OrderRow;
    const list = [due('2026-11-22T10:00:00Z', 1500), due('2026-11-23T15:00:00Z', 900)];
    expect(salesOf([], waiting, list, when).overdue).toEqual({ cents: { EUR: 1500 }, partly: false });
    expect(salesOf([], { ...waiting, overdue: 101 }, list, when).overdue.partly).toBe(true);
    const more = [...list, due('2026-11-21T10:00:00Z', 700, 'PLN'), due('2026-11-21T10:00:00Z', null)];
    expect(salesOf([], { ...waiting, overdue: 3 }, more, when).overdue).toEqual({
      cents: { EUR: 1500, PLN: 700 },
      partly: true,
    });
  });

  it('name the export with the most errors; without a checked export there is no share', () => {
    const entry = (id: string, items: number, errors: number) => ({
      id,
      settings: { name: id },
      readiness: { items, errors },
    });
    const exports = [entry('a', 100, 5), entry('b', 100, 15)] as unknown as Parameters<typeof readyOf>[0];
    expect(readyOf(exports)).toEqual({ share: 0.9, errors: 20, worst: { id: 'b', name: 'b' } });
    expect(readyOf([])).toBeNull();
  });
});
