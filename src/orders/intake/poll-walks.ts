import type { Row } from '#platform/db/row.ts';
import { dayOf } from '#orders/model/order-state.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
export const POLL = {
  every: 5 * MINUTE,
  /** By the marketplace's own clock: what it wrote late is read again. */
  overlap: 10 * MINUTE,
  /** How far back a new account is read, and every night all of them. */
  back: 30 * DAY,
  /** The hour of the night, in Berlin. */
  hour: 3,
  /** A failure that passes is told to people after so long. */
  lasts: 30 * MINUTE,
  /** Overdue by so much, nobody tried: the machine slept, or its clock was set forward. */
  slept: 60 * MINUTE,
} as const;

/** How far an account's orders are read. What the look back found is counted with the orders, and not written from here. */
export type Poll = Omit<Row<'order_polls'>, 'back_found'>;
/** quick: what changed since the last walk; back: the last 30 days once more. Each has a cursor of its own. */
export type Walk = 'quick' | 'back';

const hourInBerlin = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hour12: false, timeZone: 'Europe/Berlin' });

/**
 * Of an account that was never read: what changes from now on, and beside it the first look back, `reconciled_on` null until its end.
 * Until then orders that nobody has read may hold pieces of the stock.
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

/** With the look back that is due this night; it begins between two quick walks, and waits while the marketplace cannot be read. */
export function withLookBack(stored: Poll, now: Date): Poll {
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
 * A look back that the version before began with the quick walk's cursor goes on as one of its own. Where the quick walk stood it did
 * not keep: all until the look back began comes with that, what changed after it with the quick walk.
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

/** The walk whose page is read next; undefined: none is due. Calls are few, so where both want one they take turns. */
export function nextWalk(poll: Poll, now: Date): Walk | undefined {
  // After a failure the pause counts in the middle of a walk too: else it would take the calls of the other.
  const isOpen = poll.cursor !== null && poll.failed_since === null;
  const quick = isOpen || now.getTime() - poll.polled_at.getTime() >= POLL.every;
  const back = poll.back_since !== null && (poll.back_not_before === null || poll.back_not_before <= now);
  if (quick && back) return poll.back_turn ? 'back' : 'quick';
  if (quick) return 'quick';
  return back ? 'back' : undefined;
}

/** What a walk asks the marketplace for. A token may be used with the same question only, so `since` stays until the walk ends. */
export function questionOf(poll: Poll, walk: Walk): { since: Date; cursor: string | undefined } {
  if (walk === 'back') return { since: poll.back_since ?? poll.since, cursor: poll.back_cursor ?? undefined };
  return { since: new Date(poll.since.getTime() - POLL.overlap), cursor: poll.cursor ?? undefined };
}

/**
 * Whether the quick poll should have known it: walks that ended had gone over all that changed before `since`, except what the marketplace
 * wrote late. What came before the account did was never lost.
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
  // While a walk lasts, time counts from its start.
  if (next !== undefined) return { ...read, cursor: next, as_of };
  return { ...read, since: as_of, cursor: null, as_of: null, polled_at: now };
}

/** A failure lasts only while it is tried again: behind a time in which nobody did, it begins anew. `due`: of this try. */
const failingSince = (since: Date | null, due: number | undefined, now: Date): Date =>
  since === null || (due !== undefined && now.getTime() - due >= POLL.slept) ? now : since;

/** `isStale`: a token that the marketplace no longer takes would fail for ever, so the walk begins anew. The other walk goes on. */
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
