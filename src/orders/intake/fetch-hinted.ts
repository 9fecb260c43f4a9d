import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { ChannelOrder, OrderPort } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { Row } from '#platform/db/row.ts';
import { callsNow, takeAccountOrders, waitAsNamed, type AccountDeps } from './account-orders.ts';

type Hint = Row<'order_hints', 'order_id' | 'since' | 'tries'>;
/** Orders of one account per poll. */
const LIMIT = 50;
/** Orders that are read at the same time. */
const AT_ONCE = 10;
const PAUSE_MS = 5000;
const LONGEST_MS = 15 * 60_000;

/** Reads the orders that messages and actions hinted at, as far as the rate allows; returns how many were read. */
export async function fetchHinted(deps: AccountDeps, account: Account, port: OrderPort): Promise<number> {
  const { database, clock, log } = deps;
  const { company, id: channel } = account;
  const hints = await database.company(company, (trx) =>
    trx
      .selectFrom('order_hints')
      .select(['order_id', 'since', 'tries'])
      .where((eb) => eb.and({ company, channel }))
      .where('not_before', '<=', clock.now())
      .orderBy('not_before')
      .limit(LIMIT)
      .execute(),
  );
  if (hints.length === 0) return 0;
  const chosen = hints.slice(0, await callsNow(deps, account, port, 'order', hints.length));
  const answered: Answered[] = [];
  let isLimited = false;
  for (let from = 0; from < chosen.length && !isLimited; from += AT_ONCE) {
    const some = chosen.slice(from, from + AT_ONCE);
    const read = await Promise.all(some.map((hint) => readOne(deps, account, port, hint)));
    for (const one of read)
      if (one === 'limited') isLimited = true;
      else if (one !== undefined) answered.push(one);
  }
  try {
    await take(deps, account, answered);
  } catch (error) {
    // An order that cannot be stored must not hold up the others.
    log.warn({ err: error, account: channel }, 'storing several orders at once failed; storing them one by one');
    for (const one of answered)
      await take(deps, account, [one]).catch((cause: unknown) => later(deps, account, one.hint, cause));
  }
  return answered.length;
}

type Answered = { hint: Hint; order: ChannelOrder | undefined };

/** Reads one order; undefined: it failed and will be retried; 'limited': so will it, and no other may be read now. */
async function readOne(
  deps: AccountDeps,
  account: Account,
  port: OrderPort,
  hint: Hint,
): Promise<Answered | 'limited' | undefined> {
  try {
    return { hint, order: await port.order(hint.order_id) };
  } catch (error) {
    await later(deps, account, hint, error);
    return (await waitAsNamed(deps, account, port, 'order', error)) ? 'limited' : undefined;
  }
}

/** Stores several orders together: the transaction is most of the cost. */
async function take(deps: AccountDeps, account: Account, answered: readonly Answered[]): Promise<void> {
  const { company, id: channel } = account;
  const orders = answered.flatMap(({ order }) => (order === undefined ? [] : [order]));
  await takeAccountOrders(deps, account, orders, 'message');
  await deps.database.company(company, async (trx) => {
    // A hint that arrived during the read has another `since`; it stays, and the order is read again.
    for (const { hint } of answered)
      await trx
        .deleteFrom('order_hints')
        .where((eb) => eb.and({ company, channel, order_id: hint.order_id, since: hint.since }))
        .execute();
  });
}

async function later(deps: AccountDeps, account: Account, hint: Hint, error: unknown): Promise<void> {
  const { database, clock, log } = deps;
  const { company, id: channel } = account;
  log.warn({ err: error, account: channel }, 'an order could not be read');
  const delayMs = error instanceof MarketplaceError ? error.delayMs : undefined;
  const pause = delayMs ?? Math.min(LONGEST_MS, PAUSE_MS * 2 ** Math.min(hint.tries, 10));
  await database.company(company, (trx) =>
    trx
      .updateTable('order_hints')
      .set({ tries: hint.tries + 1, not_before: new Date(clock.now().getTime() + pause) })
      .where((eb) => eb.and({ company, channel, order_id: hint.order_id, since: hint.since }))
      .execute(),
  );
}
