import { describe, expect, it } from 'vitest';
import { clearable, type StoredState } from './retention.ts';

const now = new Date('2026-11-20T03:30:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const state = (number: number, days: number, more: Partial<StoredState> = {}): StoredState => ({
  number,
  createdAt: daysAgo(days),
  accepted: true,
  needed: false,
  ...more,
});
/** Returns snapshots with numbers from 1 on, one per day, the newest today. */
const daily = (count: number, more: (number: number) => Partial<StoredState> = () => ({})) =>
  Array.from({ length: count }, (_, index) => state(index + 1, count - index - 1, more(index + 1)));

describe('which stored snapshots are deleted', () => {
  it.each<[string, StoredState[], number[]]>([
    ['without snapshots, none', [], []],
    ['none of the last ten accepted, however old', daily(10).map((one) => ({ ...one, createdAt: daysAgo(900) })), []],
    ['the eleventh accepted, if it is old', Array.from({ length: 11 }, (_, index) => state(index + 1, 400)), [1]],
    ['none younger than 30 days', daily(31), []],
    ['all older than 30 days, except the last ten', daily(45), Array.from({ length: 14 }, (_, index) => index + 1)],
    [
      'not the one that is needed, e.g. because it is published',
      daily(45, (number) => ({ needed: number === 3 })).slice(0, 5),
      [],
    ],
    [
      'refused ones do not count towards the ten',
      [...Array.from({ length: 10 }, (_, index) => state(index + 1, 400)), state(11, 399, { accepted: false })],
      [11],
    ],
    [
      'those that wait for a release only once a later one was accepted',
      [
        state(1, 400, { accepted: false, waits: true }),
        ...Array.from({ length: 10 }, (_, index) => state(index + 2, 399)),
        state(12, 398, { accepted: false, waits: true }),
      ],
      [1],
    ],
    [
      'a needed one is kept, its neighbours are deleted',
      daily(45, (number) => ({ needed: number === 7 })),
      [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14],
    ],
  ])('%s', (_title, states, cleared) => {
    expect(clearable(states, now)).toEqual(cleared);
  });

  it('a snapshot of exactly 30 days is kept', () => {
    const recent = Array.from({ length: 12 }, (_, index) => state(index + 1, 30));
    expect(clearable(recent, now)).toEqual([]);
    expect(clearable(recent, new Date(now.getTime() + 1))).toEqual([1, 2]);
  });
});
