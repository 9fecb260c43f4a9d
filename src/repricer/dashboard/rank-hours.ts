import { anyOf, pg } from '#platform/db/pg.ts';
import type { InferResult } from 'kysely';
import type { Trx } from '#platform/db/database.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import type { BoxDay } from '#shared/repricer/dashboard.ts';
import type { DashboardPlace } from './place.ts';

/** What the look of an hour found, over all catalogues that are asked for. */
export type RankHour = InferResult<ReturnType<typeof rankHours>>[number];

/** Looks of these days in Berlin, the earliest first. `observed` null: it was not counted yet. */
export const rankHours = (
  trx: Trx,
  { company, masterid, sellers }: DashboardPlace,
  { start, end }: { start: string; end: string },
) =>
  trx
    .selectFrom('rank_history')
    .select(['seller', 'hour'])
    .select(({ fn }) => [fn.sum<number>('rank_1').as('rank_1'), fn.sum<number>('rank_2').as('rank_2')])
    .select(({ fn }) => [fn.sum<number>('rank_3').as('rank_3'), fn.sum<number>('box').as('box')])
    .select(({ fn }) => fn.sum<number | null>('observed').as('observed'))
    .select(({ fn }) => fn.sum<number | null>('observed_box').as('observed_box'))
    .where((eb) => eb.and({ company, ...(masterid === undefined ? {} : { master: masterid }) }))
    .where('seller', '=', anyOf([...sellers.keys()]))
    .where(pg<boolean>`hour >= ${start}::date::timestamp at time zone 'Europe/Berlin'`)
    .where(pg<boolean>`hour < (${end}::date + 1)::timestamp at time zone 'Europe/Berlin'`)
    .groupBy(['seller', 'hour'])
    .orderBy('hour');

/**
 * For how much of each day the offers of one seller held the box: of all looks at offers that were known of, how many found ours in it.
 * A look an hour weighs every state by how long it held; an offer of which nothing was heard for 24 hours is in neither sum.
 */
export function boxDays(hours: readonly RankHour[]): BoxDay[] {
  const counted = hours.flatMap(({ hour, observed, observed_box: box }) =>
    observed === null ? [] : [{ date: berlinDay(hour), observed, box: box ?? 0 }],
  );
  return [...Map.groupBy(counted, ({ date }) => date)].map(([date, looks]) => ({
    date,
    observed: looks.reduce((sum, { observed }) => sum + observed, 0),
    box: looks.reduce((sum, { box }) => sum + box, 0),
  }));
}
