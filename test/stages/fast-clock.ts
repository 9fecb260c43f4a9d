import type { Clock } from '#platform/clock.ts';

/**
 * Returns a clock that several processes share across restarts: `begin` (ms) is its start, `speed` how much faster it runs,
 * `ahead` by how many minutes it was ahead at the start. Written as `begin:speed:ahead`.
 */
export function fastClock(text: string): Clock {
  const [begin = 0, speed = 1, ahead = 0] = text.split(':').map(Number);
  return { now: () => new Date(begin + ahead * 60_000 + (Date.now() - begin) * speed) };
}
