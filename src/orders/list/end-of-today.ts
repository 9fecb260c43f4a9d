import { dayOf } from '#orders/model/order-state.ts';

const HOUR = 60 * 60_000;

/** Returns the start of tomorrow in the merchant's zone (Berlin); a day there has 23, 24 or 25 hours. */
export function endOfToday(now: Date): Date {
  const today = dayOf(now);
  // The day changes on a full hour, so at most 25 are tried.
  let moment = new Date(Math.floor(now.getTime() / HOUR) * HOUR + HOUR);
  while (dayOf(moment) === today) moment = new Date(moment.getTime() + HOUR);
  return moment;
}
