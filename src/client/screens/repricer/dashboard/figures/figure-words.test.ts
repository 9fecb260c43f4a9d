import { expect, it } from 'vitest';
import { endsByItself, shareOf, sharesOf } from './figure-words.ts';

it('the buy box share weights days by their observed time, and is null if nothing was observed', () => {
  const days = [
    { date: '2026-11-01', observed: 100, box: 50 },
    { date: '2026-11-03', observed: 300, box: 0 },
  ];
  expect([shareOf(days), shareOf([]), shareOf([{ date: '2026-11-01', observed: 0, box: 0 }])]).toEqual([
    0.125,
    null,
    null,
  ]);
  expect(sharesOf(['2026-11-01', '2026-11-02', '2026-11-03'], days)).toEqual([0.5, null, 0]);
});

it('held prices that only wait for time to pass need no release', () => {
  const held = (...reasons: string[]) => reasons.map((reason) => ({ reason, count: 1 }));
  expect([held('CANARY', 'TOO_SOON'), held('STEP_PAUSE')].map(endsByItself)).toEqual([true, true]);
  for (const reason of ['BREAKER', 'STOPPED', 'LIMITS_MOVED', 'LIMITS_MISSING', 'OFFERS_OLD', 'NEU'])
    expect(endsByItself(held('CANARY', reason))).toBe(false);
});
