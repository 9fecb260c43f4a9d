import { integerText } from '#shared/values/integer-text.ts';
import { moneyText } from '#shared/values/money-text.ts';
/**
 * The last protection against a wrong price: every check has let it pass, and now buyers find it. An item that is bought far more
 * often than usual after its price was lowered is held until a person has checked the price.
 */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const SALES = {
  /** The window in which orders are counted: long enough to rule out chance, short enough that little is lost. */
  window: 15 * minute,
  /** The window must hold this many times the usual orders of a whole hour: forty times the usual pace. */
  factor: 10,
  /** Fewer are not unusual, however rarely the item is bought: its first buyers must not stop it. */
  least: 5,
  /** The period that defines the usual rate: four whole weeks, so that every weekday counts alike. */
  history: 28 * day,
  /** The least length of that period: for a newly known account a quiet or a busy hour would count as usual. */
  leastHistory: day,
  /** A price in force for longer is no news to buyers: their behaviour has another cause. */
  cut: day,
  /** How long sales are kept: longer than any check needs. */
  keep: 30 * day,
} as const;

/** A price that was sent, and the price it replaced. */
export type SentPrice = { at: number; from: number | null; to: number };

export type SalesAlarmInput = {
  now: number;
  /** When each order of the item was made, as far as the window may include it. One order counts once, whatever its pieces. */
  orders: readonly number[];
  /** Number of orders in the `history` before the window, and since when orders of the account are known; null: not at all. */
  earlier: number;
  knownSince: number | null;
  /** Prices sent in the last `cut`, the newest last. */
  prices: readonly SentPrice[];
  /** When a user last released the item, and at which price. */
  released: { at: number; price: number } | null;
};

/** `usual`: orders in an hour; `before`: the higher price before the present one. */
export type SalesAlarm = { orders: number; usual: number; price: number; before: number };

/** Returns the alarm for an item's sales; undefined if they are not unusual. */
export function salesAlarm(question: SalesAlarmInput): SalesAlarm | undefined {
  const cut = cutOf(question);
  if (cut === undefined) return undefined;
  const { now, earlier, knownSince, released } = question;
  // Orders from before a release have been checked.
  const since = Math.max(now - SALES.window, released?.at ?? -Infinity);
  const orders = question.orders.filter((at) => at > since).length;
  const known = Math.min(SALES.history, Math.max(SALES.leastHistory, now - (knownSince ?? now)));
  const usual = earlier / (known / hour);
  if (orders < SALES.least || !(orders > usual * SALES.factor)) return undefined;
  return { orders, usual, ...cut };
}

/**
 * Returns the price in force and the highest one before it within a day: a cent more in between does not make it the old price
 * again. A release confirmed the price of then, so that for a day only a lower one counts.
 */
function cutOf({ now, prices, released }: SalesAlarmInput): { price: number; before: number } | undefined {
  const lately = prices.filter(({ at }) => at > now - SALES.cut);
  const price = lately.at(-1)?.to;
  if (price === undefined) return undefined;
  const highest = Math.max(...lately.flatMap(({ from, to }) => (from === null ? [to] : [from, to])));
  const before = released !== null && released.at > now - SALES.cut ? Math.min(highest, released.price) : highest;
  return price < before ? { price, before } : undefined;
}

/** Returns the German sentence that reports the alarm. */
export function alarmWords({ orders, usual, price, before }: SalesAlarm, currency: string): string {
  const money = (cents: number) => moneyText(cents, currency);
  return `${integerText(orders)} Bestellungen in ${SALES.window / minute} Minuten, seit der Preis von ${money(before)} auf ${money(price)} sank; ${usualWords(usual)}.`;
}

function usualWords(usual: number): string {
  const number = (value: number) => value.toLocaleString('de-DE', { maximumFractionDigits: 1 });
  if (usual === 0) return 'davor keine';
  if (usual >= 1 && number(usual) !== '1') return `üblich sind ${number(usual)} in der Stunde`;
  const hours = Math.round(1 / usual);
  if (hours <= 1) return 'üblich ist eine in der Stunde';
  return `üblich ist eine in ${hours < 48 ? `${hours} Stunden` : `${number(Math.round(hours / 24))} Tagen`}`;
}
