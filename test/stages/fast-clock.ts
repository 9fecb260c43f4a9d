import type { Clock } from '#platform/clock.ts';

/**
 * A clock that several processes share, however often they start: `begin` (ms) is when it began, `speed` how much faster it runs,
 * `ahead` by how many minutes it was ahead then. Written as `begin:speed:ahead`.
 */
export function fastClock(text: string): Clock {
  const [begin = 0, speed = 1, ahead = 0] = text.split(':').map(Number);
  return { now: () => new Date(begin + ahead * 60_000 + (Date.now() - begin) * speed) };
}
