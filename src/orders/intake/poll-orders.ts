import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { OrderPort } from '#marketplaces/orders-port.ts';
import { KontorError } from '#platform/errors.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { addNotification } from '#notifications/notifications.ts';
import { putRows } from '#platform/db/put-rows.ts';
import type { Row } from '#platform/db/row.ts';
import { dayOf } from '#orders/model/order-state.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { callsNow, takeEachOrder, type AccountDeps } from './account-orders.ts';

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
} as const;

type Poll = Row<'order_polls'>;
const hourInBerlin = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hour12: false, timeZone: 'Europe/Berlin' });

/**
 * Reads what changed at an account since it was last read, a page at a turn, and every night the last 30 days once more: what that
 * finds was lost before, and is told. Returns how many pages were read.
 */
export async function pollOrders(deps: AccountDeps, account: Account, port: OrderPort): Promise<number> {
  const { database, clock } = deps;
  const { company, id: channel } = account;
  const poll = await database.company(company, async (trx) => {
    const found = await trx
      .selectFrom('order_polls')
      .selectAll()
      .where((eb) => eb.and({ company, channel }))
      .executeTakeFirst();
    return found === undefined ? firstPoll(company, channel, clock.now()) : nextPoll(found, clock.now());
  });
  if (poll === undefined || (await callsNow(deps, account, port, 'changes', 1)) === 0) return 0;
  try {
    const since = new Date(poll.since.getTime() - (poll.reconciling ? 0 : POLL.overlap));
    const page = await port.changes(since, poll.cursor ?? undefined);
    const results = await takeEachOrder(deps, account, page.orders, 'poll');
    const found = page.orders.filter((order, n) => isNews(results[n]) && lostBefore(poll, order.changedAt)).length;
    if (found > 0) await tellLost(deps, account, found);
    const impossible = page.orders.flatMap(({ order }, n) => (results[n] === 'impossible' ? [order] : []));
    const lost = [...(page.unreadable ?? []), ...impossible];
    if (lost.length > 0) await tellUnreadable(deps, account, lost);
    await keep(deps, afterPage(poll, page.next, page.asOf, clock.now()));
    return 1;
  } catch (error) {
    await failed(deps, account, poll, error);
    return 0;
  }
}

const isNews = (result: string | undefined) => result === 'new' || result === 'changed';
/** In the nightly look back: what changed before the overlap of the last walk had been walked over already. */
const lostBefore = (poll: Poll, changedAt: Date): boolean =>
  poll.reconciling && changedAt.getTime() < poll.polled_at.getTime() - POLL.overlap;

const firstPoll = (company: string, channel: string, now: Date): Poll => ({
  company,
  channel,
  since: new Date(now.getTime() - POLL.back),
  cursor: null,
  as_of: null,
  polled_at: now,
  failed_since: null,
  reconciled_on: dayOf(now),
  reconciling: false,
});

/** The walk that is due; undefined: none is. */
function nextPoll(poll: Poll, now: Date): Poll | undefined {
  if (poll.cursor !== null) return poll;
  const today = dayOf(now);
  const night = Number(hourInBerlin.format(now)) >= POLL.hour && poll.reconciled_on !== today;
  if (night && poll.failed_since === null)
    return { ...poll, since: new Date(now.getTime() - POLL.back), reconciled_on: today, reconciling: true };
  return now.getTime() - poll.polled_at.getTime() >= POLL.every ? poll : undefined;
}

function afterPage(poll: Poll, next: string | undefined, asOf: Date, now: Date): Poll {
  const as_of = poll.as_of ?? asOf;
  // A token may be used with the same question only, so `since` stays until the walk ends. While it lasts, time counts from its start.
  if (next !== undefined) return { ...poll, cursor: next, as_of, failed_since: null };
  return { ...poll, since: as_of, cursor: null, as_of: null, polled_at: now, failed_since: null, reconciling: false };
}

async function keep({ database }: AccountDeps, poll: Poll): Promise<void> {
  await database.company(poll.company, (trx) => putRows(trx, 'order_polls', ['company', 'channel'], [poll]));
}

async function failed(deps: AccountDeps, account: Account, poll: Poll, error: unknown): Promise<void> {
  const { clock, database, log } = deps;
  const now = clock.now();
  log.warn({ err: error, account: account.id }, 'orders could not be read');
  const failed_since = poll.failed_since ?? now;
  // A token that the marketplace no longer takes would fail for ever: the walk begins anew.
  const stale = error instanceof MarketplaceError && error.kind === 'permanent';
  const pause = error instanceof MarketplaceError ? (error.delayMs ?? MINUTE) : MINUTE;
  await keep(deps, {
    ...poll,
    ...(stale ? { cursor: null, as_of: null } : {}),
    failed_since,
    polled_at: new Date(now.getTime() - POLL.every + pause),
  });
  const passes = error instanceof MarketplaceError && error.kind === 'retryable';
  if (passes && now.getTime() - failed_since.getTime() < POLL.lasts) return;
  const reason =
    error instanceof MarketplaceError || error instanceof KontorError
      ? error.message
      : 'Kontor konnte sie nicht verarbeiten.';
  await database.company(account.company, (trx) =>
    addNotification(trx, account.company, {
      id: `orders-${account.id}-${dayOf(now)}`,
      event: 'failed',
      title: `Fehlgeschlagen: Bestellungen von „${account.name}“`,
      text: `${reason} Neue Bestellungen kommen später; Kontor versucht es weiter. Bitte sehen Sie bis dahin beim Marktplatz nach.`,
      path: '/einstellungen/kanaele',
    }),
  );
}

async function tellLost({ database, clock, log }: AccountDeps, account: Account, found: number): Promise<void> {
  log.error({ account: account.id, found }, 'the nightly look back found orders that were not known');
  const what = found === 1 ? 'eine Bestellung' : `${integerText(found)} Bestellungen`;
  await database.company(account.company, (trx) =>
    addNotification(trx, account.company, {
      id: `orders-lost-${account.id}-${dayOf(clock.now())}`,
      event: 'order',
      title: `Nachgeholt: Bestellungen von „${account.name}“`,
      text: `Der nächtliche Abgleich hat ${what} gefunden, deren Stand hier nicht der letzte war. Jetzt stimmt er.`,
      path: '/bestellungen?filter=alle',
    }),
  );
}

async function tellUnreadable(
  { database, clock, log }: AccountDeps,
  account: Account,
  orders: readonly string[],
): Promise<void> {
  log.error({ account: account.id, orders }, 'orders of a marketplace could not be read');
  const named = orders
    .filter((order) => order !== '')
    .slice(0, 5)
    .join(', ');
  const what = orders.length === 1 ? 'Eine Bestellung' : `${integerText(orders.length)} Bestellungen`;
  await database.company(account.company, (trx) =>
    addNotification(trx, account.company, {
      id: `orders-unreadable-${account.id}-${dayOf(clock.now())}`,
      event: 'failed',
      title: `Nicht lesbar: Bestellungen von „${account.name}“`,
      text: `${what} kamen in einer Form, die Kontor nicht versteht${named === '' ? '' : ` (${named})`}. Bitte bearbeiten Sie sie beim Marktplatz, und melden Sie es dem Betreiber.`,
      path: '/bestellungen?filter=alle',
    }),
  );
}
