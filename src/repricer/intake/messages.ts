import { readNotification } from '#marketplaces/offer-messages.ts';
import { readOrderChange } from '#marketplaces/order-messages.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { TakenOffers } from '#shared/repricer/history.ts';
import { takeOffers } from './offers.ts';
import { takeSales } from '#repricer/sales/sales.ts';

/** Takes in messages of a marketplace, about offers and about orders, as they come; tells what became of them. */
export async function takeMessages(
  { database, clock, ids }: { database: Database; clock: Clock; ids: Ids },
  company: string,
  messages: readonly unknown[],
): Promise<TakenOffers> {
  const counts: TakenOffers = { taken: 0, twice: 0, old: 0, unknown: 0, future: 0, unreadable: 0 };
  const offers = messages.map(readNotification).filter((snapshot) => snapshot !== undefined);
  const orders = messages.map(readOrderChange).filter((order) => order !== undefined);
  counts.unreadable = messages.length - offers.length - orders.length;
  // One after the other, each for itself: they touch different things, and what is told again counts once.
  const taken = await database.company(company, (trx) => takeOffers(trx, company, offers, clock.now()));
  const sales =
    orders.length === 0
      ? []
      : await database.company(company, (trx) => takeSales(trx, ids, company, orders, clock.now()));
  for (const one of [...taken, ...sales]) counts[one]++;
  return counts;
}
