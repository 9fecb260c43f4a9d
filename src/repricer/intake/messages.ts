import type { MarketplaceMessage } from '#marketplaces/port.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { TakenOffers } from '#shared/repricer/history.ts';
import { takeOffers } from './offers.ts';
import { takeSales } from '#repricer/sales/sales.ts';

/**
 * Takes in messages of marketplaces as their connectors read them (undefined: unreadable), about offers and about orders, in the
 * order they come; tells what became of them.
 */
export async function takeMessages(
  { database, clock, ids }: { database: Database; clock: Clock; ids: Ids },
  company: string,
  messages: readonly (MarketplaceMessage | undefined)[],
): Promise<TakenOffers> {
  const counts: TakenOffers = { taken: 0, twice: 0, old: 0, unknown: 0, future: 0, unreadable: 0 };
  const offers = messages.flatMap((message) => (message?.about === 'offers' ? [message.snapshot] : []));
  const orders = messages.flatMap((message) => (message?.about === 'order' ? [message.order] : []));
  counts.unreadable = messages.length - offers.length - orders.length;
  // Independent of each other and each idempotent, so a repeated message counts once.
  const taken = await database.company(company, (trx) => takeOffers(trx, company, offers, clock.now()));
  const sales =
    orders.length === 0
      ? []
      : await database.company(company, (trx) => takeSales(trx, ids, company, orders, clock.now()));
  for (const one of [...taken, ...sales]) counts[one]++;
  return counts;
}
