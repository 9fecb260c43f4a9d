import type { Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import type { HeaderCount } from '#shared/live/components.ts';
import type { OrderFilter } from '#shared/orders/schema.ts';
import { pages } from '#shared/pages.ts';
import { endOfToday } from './end-of-today.ts';
import { conditionOf } from './find-orders.ts';

/** Largest number in the header; counting stops there. */
const MOST_SHOWN = 99;

/** Returns the number of orders to be shipped today and of those in an unclear state, in one query by indexes. */
export async function orderHeaderCounts(
  trx: Trx,
  { company, permissions }: Pick<Principal, 'company' | 'permissions'>,
  now: Date,
): Promise<HeaderCount[]> {
  if (!permissions.includes('ship')) return [];
  const some = (filter: OrderFilter) =>
    trx
      .selectFrom('orders as o')
      .select('o.order_id')
      .where('o.company', '=', company)
      .where(conditionOf(filter, endOfToday(now)))
      .limit(MOST_SHOWN + 1);
  const { due, unclear } = await trx
    .selectNoFrom((eb) => [
      eb
        .selectFrom(some('faellig').as('s'))
        .select((s) => s.fn.countAll<number>().as('n'))
        .$asScalar()
        .as('due'),
      eb
        .selectFrom(some('klaerung').as('s'))
        .select((s) => s.fn.countAll<number>().as('n'))
        .$asScalar()
        .as('unclear'),
    ])
    .executeTakeFirstOrThrow();
  const shown = (label: string, filter: OrderFilter, found: number | null): HeaderCount => ({
    label,
    count: Math.min(found ?? 0, MOST_SHOWN),
    more: (found ?? 0) > MOST_SHOWN,
    path: `${pages.orders.path}?filter=${filter}`,
  });
  const waiting = shown('Heute fällig', 'faellig', due);
  return permissions.includes('orders') ? [waiting, shown('Klärung nötig', 'klaerung', unclear)] : [waiting];
}
