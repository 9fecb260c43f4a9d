import { expect, it } from 'vitest';
import { afterFailure, firstPoll, POLL, type Walk } from './poll-walks.ts';

const start = new Date('2026-11-28T06:00:00Z').getTime();
const at = (minutes: number) => new Date(start + minutes * 60_000);

/** Returns since when a walk that fails at these minutes counts as failing, in minutes; a failure pauses it for one minute. */
function failingSince(walk: Walk, minutes: readonly number[]): number {
  let poll = firstPoll('firma', 'konto', at(0));
  for (const minute of minutes) poll = afterFailure(poll, walk, { isStale: false, pause: 60_000 }, at(minute));
  const since = walk === 'back' ? poll.back_failed_since : poll.failed_since;
  return ((since?.getTime() ?? Number.NaN) - start) / 60_000;
}

it.each([
  { what: 'keeps its start time while retries fail', minutes: [1, 2, 20, 70], since: 1 },
  {
    what: 'gets a new start time after a gap of an hour, e.g. because the machine slept',
    minutes: [1, 2, 64],
    since: 64,
  },
  { what: 'gets a new start time after the clock was set forward by hours', minutes: [1, 1200, 1201], since: 1200 },
  { what: 'keeps its start time after the clock was set back', minutes: [100, 40, 41], since: 100 },
])('a failure of reading orders $what', ({ minutes, since }) => {
  expect(POLL.slept).toBe(3_600_000);
  expect(failingSince('quick', minutes)).toBe(since);
  expect(failingSince('back', minutes)).toBe(since);
});
