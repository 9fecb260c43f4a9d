import { type Account, accountExists } from '#marketplaces/accounts/accounts.ts';
import type { ChannelOrder, OrderPort } from '#marketplaces/orders-port.ts';
import { KontorError } from '#platform/errors.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { Trx } from '#platform/db/database.ts';
import { dayOf } from '#orders/model/order-state.ts';
import { callsNow, takeEachOrder, type AccountDeps, waitAsNamed } from './account-orders.ts';
import {
  afterFailure,
  afterPage,
  firstPoll,
  lostBefore,
  nextWalk,
  POLL,
  questionOf,
  withOverlap,
  type Poll,
  type Walk,
} from './poll-walks.ts';
import type { IntakeResult } from './take-orders.ts';
import { notifyFailed, notifyLost, notifyUnreadable } from './notify-polls.ts';

/**
 * Reads one page of what changed at an account since the last poll, and every night the last 30 days again: orders found there
 * had been missed, which is reported. The look back takes hours where calls are few, so both walks alternate. Returns the number
 * of pages read.
 */
export async function pollOrders(deps: AccountDeps, account: Account, port: OrderPort): Promise<number> {
  const { clock } = deps;
  const poll = await pollOf(deps, account);
  const walk = nextWalk(poll, clock.now());
  if (walk === undefined || (await callsNow(deps, account, port, 'changes', 1)) === 0) return 0;
  try {
    const { since, cursor } = questionOf(poll, walk);
    const page = await port.changes(since, cursor);
    const count = walk === 'back' ? countLost(poll) : undefined;
    const results = await takeEachOrder(deps, account, page.orders, 'poll', count);
    const impossible = page.orders.flatMap(({ order }, n) => (results[n] === 'impossible' ? [order] : []));
    const lost = [...(page.unreadable ?? []), ...impossible];
    if (lost.length > 0) await notifyUnreadable(deps, account, lost);
    const after = afterPage(poll, walk, page, clock.now());
    if (poll.back_since !== null && after.back_since === null) await endLookBack(deps, account, after);
    else await keep(deps, after);
    return 1;
  } catch (error) {
    // A look-back that is told to wait has its own pause, and does not hold up new orders.
    if (walk === 'quick') await waitAsNamed(deps, account, port, 'changes', error);
    await failed(deps, account, { poll, walk }, error);
    return 0;
  }
}

async function pollOf({ database, clock }: AccountDeps, { company, id: channel }: Account): Promise<Poll> {
  const found = await database.company(company, (trx) =>
    trx
      .selectFrom('order_polls')
      .selectAll()
      .where((eb) => eb.and({ company, channel }))
      .executeTakeFirst(),
  );
  if (found === undefined) return firstPoll(company, channel, clock.now());
  const { back_found: _counted, ...poll } = found;
  return withOverlap(poll, clock.now());
}

const isNews = (result: IntakeResult | undefined) => result === 'new' || result === 'changed';

/** Counts in the transaction of the orders: a page read again after an interruption shows nothing new and would count none. */
const countLost =
  (poll: Poll) =>
  async (trx: Trx, orders: readonly ChannelOrder[], results: readonly IntakeResult[]): Promise<void> => {
    const { company, channel } = poll;
    const found = orders.filter((order, n) => isNews(results[n]) && lostBefore(poll, order.changedAt)).length;
    if (found === 0) return;
    await trx
      .updateTable('order_polls')
      .set((eb) => ({ back_found: eb('back_found', '+', found) }))
      .where((eb) => eb.and({ company, channel }))
      .execute();
  };

/** Stores the state of a poll, unless its account was deleted meanwhile: nothing else would ever delete that row. */
async function put(trx: Trx, poll: Poll): Promise<void> {
  if (!(await accountExists(trx, poll.company, poll.channel))) return;
  await trx
    .insertInto('order_polls')
    .values(poll)
    .onConflict((conflict) => conflict.columns(['company', 'channel']).doUpdateSet(poll))
    .execute();
}

const keep = ({ database }: AccountDeps, poll: Poll): Promise<void> =>
  database.company(poll.company, (trx) => put(trx, poll));

/** Ends the look back after its last page and reports the total, once per night. */
async function endLookBack({ database, clock, log }: AccountDeps, account: Account, poll: Poll): Promise<void> {
  const { company, channel } = poll;
  const found = await database.company(company, async (trx) => {
    const ofPoll = trx.selectFrom('order_polls').where((eb) => eb.and({ company, channel }));
    const stored = await ofPoll.select('back_found').executeTakeFirst();
    await put(trx, poll);
    const back_found = stored?.back_found ?? 0;
    if (back_found === 0) return 0;
    await trx
      .updateTable('order_polls')
      .set({ back_found: 0 })
      .where((eb) => eb.and({ company, channel }))
      .execute();
    await notifyLost(trx, account, poll.reconciled_on ?? dayOf(clock.now()), back_found);
    return back_found;
  });
  if (found > 0) log.error({ account: account.id, found }, 'the nightly reconciliation found unknown orders');
}

type Failed = { poll: Poll; walk: Walk };

async function failed(deps: AccountDeps, account: Account, { poll, walk }: Failed, error: unknown): Promise<void> {
  const { clock, log } = deps;
  const now = clock.now();
  log.warn({ err: error, account: account.id, walk }, 'orders could not be read');
  const isKnown = error instanceof MarketplaceError;
  const pause = (isKnown ? error.delayMs : undefined) ?? 60_000;
  const after = afterFailure(poll, walk, { isStale: isKnown && error.kind === 'permanent', pause }, now);
  await keep(deps, after);
  const since = (walk === 'back' ? after.back_failed_since : after.failed_since) ?? now;
  const passes = isKnown && error.kind === 'retryable';
  if (passes && now.getTime() - since.getTime() < POLL.lasts) return;
  // If the quick walk fails too, only its failure is reported.
  if (walk === 'back' && after.failed_since !== null) return;
  const reason = isKnown || error instanceof KontorError ? error.message : 'Kontor konnte sie nicht verarbeiten.';
  await notifyFailed(deps, account, walk, reason);
}
