import type { StoredOrder } from './order-record.ts';

/** How long before the promised moment people are told. */
export const ALARM_AHEAD_MS = 6 * 60 * 60_000;

/**
 * Whether people who were told of an order's promised moment need word of a new one: where it is earlier, and where it is so much later
 * that it cannot be the one they were told of.
 */
export function needsWord(
  { alarmed_at: told, ship_by: before }: Pick<StoredOrder, 'alarmed_at' | 'ship_by'>,
  promised: Date | undefined,
): boolean {
  if (told === null || promised === undefined) return false;
  return (before !== null && promised < before) || promised.getTime() >= told.getTime() + 2 * ALARM_AHEAD_MS;
}
