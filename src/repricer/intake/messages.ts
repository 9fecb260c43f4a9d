import type { ActionNews, MarketplaceMessage, OrderNews } from '#marketplaces/port.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { OfferIntake } from '#shared/repricer/history.ts';
import { takeOffers } from './offers.ts';
import { takeSales } from '#repricer/sales/sales.ts';

/**
 * Stores messages of marketplaces as their connectors parsed them (undefined: unreadable), about offers, orders and actions, in
 * their order; returns counts of the results. One that cannot be stored counts as unreadable and holds up no other.
 */
export async function takeMessages(
  deps: IntakeDeps,
  company: string,
  messages: readonly (MarketplaceMessage | undefined)[],
): Promise<OfferIntake> {
  try {
    return await takeTogether(deps, company, messages);
  } catch (error) {
    if (!liesInTheData(error)) throw error;
    if (messages.length === 1) return { ...nothing, unreadable: 1 };
  }
  // One message cannot be stored: taken one by one, only that one is lost.
  const counts = { ...nothing };
  for (const message of messages) {
    const one = await takeMessages(deps, company, [message]);
    for (const name of fates) counts[name] += one[name];
  }
  return counts;
}

export type IntakeDeps = {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Called with news of orders, in the same transaction. */
  onOrders?: ((trx: Trx, company: string, orders: readonly OrderNews[], now: Date) => Promise<void>) | undefined;
  /** Called when a marketplace reports that it has processed actions. */
  onActions?: ((trx: Trx, company: string, actions: readonly ActionNews[], now: Date) => Promise<void>) | undefined;
};
const nothing: OfferIntake = { taken: 0, twice: 0, old: 0, unknown: 0, future: 0, unreadable: 0 };
const fates = ['taken', 'twice', 'old', 'unknown', 'future', 'unreadable'] as const;

/** Returns whether the database refused a value (SQLSTATE 22 and 23): a retry would fail again. */
const liesInTheData = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code)));

async function takeTogether(
  { database, clock, ids, onOrders, onActions }: IntakeDeps,
  company: string,
  messages: readonly (MarketplaceMessage | undefined)[],
): Promise<OfferIntake> {
  const counts = { ...nothing };
  const offers = messages.flatMap((message) => (message?.about === 'offers' ? [message.snapshot] : []));
  const orders = messages.flatMap((message) => (message?.about === 'order' ? [message.order] : []));
  const actions = messages.flatMap((message) => (message?.about === 'action' ? [message.action] : []));
  counts.unreadable = messages.length - offers.length - orders.length - actions.length;
  // Independent of each other and each idempotent, so a repeated message counts once.
  const results = await database.company(company, (trx) => takeOffers(trx, company, offers, clock.now()));
  const sales =
    orders.length === 0
      ? []
      : await database.company(company, async (trx) => {
          await onOrders?.(trx, company, orders, clock.now());
          return takeSales(trx, ids, company, orders, clock.now());
        });
  if (actions.length > 0)
    await database.company(company, async (trx) => onActions?.(trx, company, actions, clock.now()));
  counts.taken += actions.length;
  for (const one of [...results, ...sales]) counts[one]++;
  return counts;
}
