import type { StoredOrder } from './order-record.ts';

/** How long before the promised ship date people are notified. */
export const ALARM_AHEAD_MS = 6 * 60 * 60_000;

/**
 * Returns whether a changed ship date needs a new notification: it is earlier, or so much later that it cannot be the one
 * reported.
 */
export function needsNewAlarm(
  { alarmed_at: alarmedAt, ship_by: before }: Pick<StoredOrder, 'alarmed_at' | 'ship_by'>,
  promised: Date | undefined,
): boolean {
  if (alarmedAt === null || promised === undefined) return false;
  return (before !== null && promised < before) || promised.getTime() >= alarmedAt.getTime() + 2 * ALARM_AHEAD_MS;
}
