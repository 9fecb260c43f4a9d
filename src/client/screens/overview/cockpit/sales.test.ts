import { describe, expect, it } from 'vitest';
import type { OrderRow } from '#shared/orders/schema.ts';
import type { StatisticRow } from '#shared/orders/statistic.ts';
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
  it('compare the 30 days up to today with the 30 before them', () => {
    const rows = [row('2026-10-24', 'a', 10), row('2026-10-25', 'a', 20), row('2026-11-23', 'b', 5.5)];
    const { revenue, orders, ofChannel } = salesOf(rows, waiting, [], when);
    expect(revenue).toMatchObject({ now: 2550, before: 1000 });
    expect(revenue.days).toHaveLength(30);
    expect([revenue.days[0], revenue.days[29]]).toEqual([2000, 550]);
    expect(orders).toMatchObject({ now: 2, before: 1 });
    expect(ofChannel).toEqual({ a: 2000, b: 550 });
  });

  it('compare a whole month of 30 days with the month before, as the statistic does', () => {
    const month = { today: '2026-11-30', now: new Date('2026-11-30T10:00:00Z') };
    const rows = [row('2026-09-30', 'a', 99), row('2026-10-01', 'a', 10), row('2026-11-01', 'a', 20)];
    expect(salesOf(rows, waiting, [], month).revenue).toMatchObject({ now: 2000, before: 1000 });
    expect(salesOf(rows, waiting, [], month).earlier).toEqual({ start: '2026-10-01', end: '2026-10-31' });
    expect(salesRanges('2026-11-29').earlier).toEqual({ start: '2026-10-01', end: '2026-10-30' });
  });

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
