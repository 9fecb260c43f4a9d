import { describe, expect, it } from 'vitest';
import { dayOf } from '#orders/model/order-state.ts';
import { endOfToday } from './end-of-today.ts';

describe('days in Berlin', () => {
  const end = (moment: string) => endOfToday(new Date(moment)).toISOString();

  it('ORD-04 a time belongs to its calendar day in Berlin, in summer and in winter', () => {
    const days = ['2026-10-24T21:59:59Z', '2026-10-24T22:30:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'];
    expect(days.map((moment) => dayOf(new Date(moment)))).toEqual([
      '2026-10-24',
      '2026-10-25',
      '2026-10-25',
      '2026-10-26',
    ]);
    expect(dayOf(new Date('2026-03-29T22:00:00Z'))).toBe('2026-03-30');
  });

  it('OIM-01 today ends at midnight in Berlin, also on days of 23 and of 25 hours', () => {
    expect([end('2026-03-28T23:00:00Z'), end('2026-03-29T21:59:59Z')]).toEqual(
      Array.from({ length: 2 }, () => '2026-03-29T22:00:00.000Z'),
    );
    expect([end('2026-10-24T22:00:00Z'), end('2026-10-25T01:30:00Z'), end('2026-10-25T22:59:59Z')]).toEqual(
      Array.from({ length: 3 }, () => '2026-10-25T23:00:00.000Z'),
    );
  });
});
