import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { OrderPort } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { Row } from '#platform/db/row.ts';
import { callsNow, takeAccountOrders, type AccountDeps } from './account-orders.ts';

type Hint = Row<'order_hints', 'order_id' | 'since' | 'tries'>;
/** Of one account at a turn. */
const LIMIT = 20;
const PAUSE_MS = 5000;
const LONGEST_MS = 15 * 60_000;

/** Reads the orders that messages and actions named, as far as the rate allows; returns how many were read. */
export async function fetchHinted(deps: AccountDeps, account: Account, port: OrderPort): Promise<number> {
  const { database, clock } = deps;
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
  const going = hints.slice(0, callsNow(deps, account, port, 'order', hints.length));
  await Promise.all(going.map((hint) => fetchOne(deps, account, port, hint)));
  return going.length;
}

async function fetchOne(deps: AccountDeps, account: Account, port: OrderPort, hint: Hint): Promise<void> {
  const { database, clock, log } = deps;
  const { company, id: channel } = account;
  try {
    const order = await port.order(hint.order_id);
    if (order !== undefined) await takeAccountOrders(deps, account, [order], 'message');
    // One that came while this was read asks for another reading.
    await database.company(company, (trx) =>
      trx
        .deleteFrom('order_hints')
        .where((eb) => eb.and({ company, channel, order_id: hint.order_id, since: hint.since }))
        .execute(),
    );
  } catch (error) {
    log.warn({ err: error, account: channel }, 'an order could not be read');
    const told = error instanceof MarketplaceError ? error.delayMs : undefined;
    const pause = told ?? Math.min(LONGEST_MS, PAUSE_MS * 2 ** Math.min(hint.tries, 10));
    await database.company(company, (trx) =>
      trx
        .updateTable('order_hints')
        .set({ tries: hint.tries + 1, not_before: new Date(clock.now().getTime() + pause) })
        .where((eb) => eb.and({ company, channel, order_id: hint.order_id, since: hint.since }))
        .execute(),
    );
  }
}
