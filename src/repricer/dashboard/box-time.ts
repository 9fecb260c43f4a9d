import { anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { BoxDay } from '#shared/repricer/dashboard.ts';
import type { DashboardPlace } from './place.ts';

/**
 * For how much of each day our offers held the box, by seller: of all looks at offers that were known of, how many found ours in the
 * box. A look an hour weighs every state by how long it held; an offer of which nothing was heard for 24 hours is in neither sum.
 */
export async function boxTimeOf(
  trx: Trx,
  { company, masterid, sellers }: DashboardPlace,
  { start, end }: { start: string; end: string },
): Promise<{ _id: string; daten: BoxDay[] }[]> {
  const day = pg<string>`(hour at time zone 'Europe/Berlin')::date::text`;
  const rows = await trx
    .selectFrom('rank_history')
    .select([day.as('date'), 'seller'])
    .select(({ fn }) => [fn.sum<number>('observed').as('observed'), fn.sum<number>('observed_box').as('box')])
    .where((eb) => eb.and({ company, ...(masterid === undefined ? {} : { master: masterid }) }))
    .where('seller', '=', anyOf([...sellers.keys()]))
    .where('observed', 'is not', null)
    .where('hour', '>=', pg<Date>`${start}::date::timestamp at time zone 'Europe/Berlin'`)
    .where('hour', '<', pg<Date>`(${end}::date + 1)::timestamp at time zone 'Europe/Berlin'`)
    .groupBy(['seller', day])
    .orderBy(day)
    .execute();
  const bySeller = Map.groupBy(rows, ({ seller }) => seller);
  return [...sellers.keys()].map((_id) => ({
    _id,
    daten: (bySeller.get(_id) ?? []).map(({ date, observed, box }) => ({ date, observed, box })),
  }));
}
