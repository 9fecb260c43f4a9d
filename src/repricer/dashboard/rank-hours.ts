import { anyOf, pg } from '#platform/db/pg.ts';
import type { InferResult } from 'kysely';
import type { Trx } from '#platform/db/database.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import type { BoxDay } from '#shared/repricer/dashboard.ts';
import type { DashboardPlace } from './place.ts';

/** The record of an hour, summed over the requested catalogues. */
export type RankHour = InferResult<ReturnType<typeof rankHours>>[number];

/** Query of the records of these days (Berlin time), the earliest first. `observed` null: not counted yet. */
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
 * Returns per day the share of time in which one seller's offers held the buy box: of all hourly observations of known offers,
 * those with ours in it. Hourly observations weigh each state by its duration; an offer without news for 24 hours is in neither
 * sum.
 */
export function boxDays(hours: readonly RankHour[]): BoxDay[] {
  const counted = hours.flatMap(({ hour, observed, observed_box: box }) =>
    observed === null ? [] : [{ date: berlinDay(hour), observed, box: box ?? 0 }],
  );
  return [...Map.groupBy(counted, ({ date }) => date)].map(([date, observations]) => ({
    date,
    observed: observations.reduce((sum, { observed }) => sum + observed, 0),
    box: observations.reduce((sum, { box }) => sum + box, 0),
  }));
}
