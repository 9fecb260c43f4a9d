import type { Row } from '#platform/db/row.ts';
import { dayOf } from '#orders/model/order-state.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
export const POLL = {
  every: 5 * MINUTE,
  /** On the marketplace's clock; covers changes that it records late. */
  overlap: 10 * MINUTE,
  /** How far back a new account is read, and every account each night. */
  back: 30 * DAY,
  /** Hour at which the look back starts, Berlin time. */
  hour: 3,
  /** A retryable failure is reported to people after this time. */
  lasts: 30 * MINUTE,
  /** A walk overdue by this much was not tried at all: the machine slept, or its clock was set forward. */
  slept: 60 * MINUTE,
} as const;

/** How far an account's orders are read. `back_found` is excluded: it is counted with the orders and not written from here. */
export type Poll = Omit<Row<'order_polls'>, 'back_found'>;
/** quick: what changed since the last walk; back: the last 30 days again. Each has its own cursor. */
export type Walk = 'quick' | 'back';

const hourInBerlin = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hour12: false, timeZone: 'Europe/Berlin' });

/**
 * Returns the state of an account that was never read: the quick walk reads changes after `now`, the first look back runs in
 * parallel; `reconciled_on` is null until that ends. Until then unread orders may hold pieces of the stock.
 */
export const firstPoll = (company: string, channel: string, now: Date): Poll => ({
  company,
  channel,
  since: now,
  cursor: null,
  as_of: null,
  polled_at: new Date(now.getTime() - POLL.every),
  failed_since: null,
  reconciled_on: null,
  reconciling: false,
  back_since: new Date(now.getTime() - POLL.back),
  back_cursor: null,
  back_failed_since: null,
  back_not_before: null,
  back_turn: false,
});

/**
 * Returns the poll with this night's look back started if it is due; it starts between two quick walks, and not while the
 * marketplace cannot be read.
 */
export function withOverlap(stored: Poll, now: Date): Poll {
  const poll = ofVersionBefore(stored);
  const today = dayOf(now);
  const isFree = poll.back_since === null && poll.cursor === null && poll.failed_since === null;
  if (!isFree || poll.reconciled_on === today || Number(hourInBerlin.format(now)) < POLL.hour) return poll;
  return {
    ...poll,
    back_since: new Date(now.getTime() - POLL.back),
    back_cursor: null,
    back_failed_since: null,
    back_not_before: null,
    reconciled_on: today,
  };
}

/**
 * Converts a look back that the previous version began with the quick walk's cursor. That version did not store the quick walk's
 * position: the look back covers everything until its start, the quick walk what changed later.
 */
function ofVersionBefore(poll: Poll): Poll {
  if (!poll.reconciling) return poll;
  return {
    ...poll,
    since: poll.as_of ?? poll.failed_since ?? poll.polled_at,
    cursor: null,
    as_of: null,
    failed_since: null,
    reconciling: false,
    back_since: poll.since,
    back_cursor: poll.cursor,
    back_failed_since: poll.failed_since,
    back_not_before: null,
  };
}

/** Returns the walk whose page is read next; undefined if none is due. Calls are few, so two due walks alternate. */
export function nextWalk(poll: Poll, now: Date): Walk | undefined {
  // The pause after a failure also applies within a walk: otherwise it would use up the other walk's calls.
  const isOpen = poll.cursor !== null && poll.failed_since === null;
  const quick = isOpen || now.getTime() - poll.polled_at.getTime() >= POLL.every;
  const back = poll.back_since !== null && (poll.back_not_before === null || poll.back_not_before <= now);
  if (quick && back) return poll.back_turn ? 'back' : 'quick';
  if (quick) return 'quick';
  return back ? 'back' : undefined;
}

/**
 * Returns the arguments of a walk's next request. A token is valid only with the same arguments, so `since` stays until the walk
 * ends.
 */
export function questionOf(poll: Poll, walk: Walk): { since: Date; cursor: string | undefined } {
  if (walk === 'back') return { since: poll.back_since ?? poll.since, cursor: poll.back_cursor ?? undefined };
  return { since: new Date(poll.since.getTime() - POLL.overlap), cursor: poll.cursor ?? undefined };
}

/**
 * Returns whether the quick walk had missed an order: finished walks covered all changes before `since`, except those the
 * marketplace recorded late. Orders from before the account was added do not count.
 */
export const lostBefore = (poll: Poll, changedAt: Date): boolean =>
  poll.reconciled_on !== null && changedAt.getTime() < poll.since.getTime() - POLL.overlap;

export function afterPage(poll: Poll, walk: Walk, page: { next?: string | undefined; asOf: Date }, now: Date): Poll {
  const { next, asOf } = page;
  if (walk === 'back') {
    const read = { ...poll, back_failed_since: null, back_not_before: null, back_turn: false };
    if (next !== undefined) return { ...read, back_cursor: next };
    return { ...read, back_since: null, back_cursor: null, reconciled_on: poll.reconciled_on ?? dayOf(now) };
  }
  const as_of = poll.as_of ?? asOf;
  const read = { ...poll, failed_since: null, back_turn: true };
  // The next walk continues from the start of this one.
  if (next !== undefined) return { ...read, cursor: next, as_of };
  return { ...read, since: as_of, cursor: null, as_of: null, polled_at: now };
}

/**
 * Returns since when a walk fails. After a time without any attempt (see `POLL.slept`) it counts anew. `due`: when this attempt
 * was due.
 */
const failingSince = (since: Date | null, due: number | undefined, now: Date): Date =>
  since === null || (due !== undefined && now.getTime() - due >= POLL.slept) ? now : since;

/**
 * Returns the poll after a failure. `isStale`: the marketplace no longer accepts the token and would fail for ever, so the walk
 * restarts. The other walk is unaffected.
 */
export function afterFailure(poll: Poll, walk: Walk, failure: { isStale: boolean; pause: number }, now: Date): Poll {
  const { isStale, pause } = failure;
  if (walk === 'back')
    return {
      ...poll,
      back_cursor: isStale ? null : poll.back_cursor,
      back_failed_since: failingSince(poll.back_failed_since, poll.back_not_before?.getTime(), now),
      back_not_before: new Date(now.getTime() + pause),
      back_turn: false,
    };
  return {
    ...poll,
    ...(isStale ? { cursor: null, as_of: null } : {}),
    failed_since: failingSince(poll.failed_since, poll.polled_at.getTime() + POLL.every, now),
    polled_at: new Date(now.getTime() - POLL.every + pause),
    back_turn: true,
  };
}
