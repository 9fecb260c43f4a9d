import { dayOf } from '#orders/model/order-state.ts';

const HOUR = 60 * 60_000;

/** The first moment of tomorrow in the merchant's zone (Berlin); its days have 23, 24 or 25 hours. */
export function endOfToday(now: Date): Date {
  const today = dayOf(now);
  // The day changes at a full hour; from the next full hour on, at most 25 to go.
  let moment = new Date(Math.floor(now.getTime() / HOUR) * HOUR + HOUR);
  while (dayOf(moment) === today) moment = new Date(moment.getTime() + HOUR);
  return moment;
}
