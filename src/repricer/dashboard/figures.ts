import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { RIVAL_MARK } from '#repricer/model/offer-rank.ts';
import type { RepricerFigures } from '#shared/repricer/dashboard.ts';
import { boxTimeOf } from './box-time.ts';
import { ownOffersOf, type DashboardPlace } from './place.ts';

const DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

/** What people look for first: who has the boxes now and had them these days, which prices lie at their limit, which are held. */
export async function figuresOf(trx: Trx, ref: DashboardPlace, now: Date): Promise<RepricerFigures> {
  const range = { start: berlinDay(new Date(now.getTime() - (DAYS - 1) * DAY_MS)), end: berlinDay(now) };
  const [time] = await boxTimeOf(trx, ref, range);
  const boxes = await boxesOf(trx, ref);
  const prices = await pricesOf(trx, ref);
  return { at: now.toISOString(), ...boxes, ...prices, box_time: time?.daten ?? [] };
}

async function boxesOf(trx: Trx, ref: DashboardPlace) {
  return (
    trx
      .selectFrom('listings as l')
      .select(({ fn }) => [
        fn.countAll<number>().as('offers'),
        fn.count<number>('l.offers_at').as('known'),
        fn.countAll<number>().filterWhere('l.own_box', '=', true).as('box'),
      ])
      // A competitor in the box is marked in front of its id; without one, and not ours either: the marketplace gives it to nobody.
      .select(
        pg<number>`count(*) filter (where l.offers_at is not null and not l.own_box
        and strpos(${RIVAL_MARK} || l.rivals, ${`${RIVAL_MARK}1`}) = 0)`.as('nobody'),
      )
      .where(ownOffersOf(ref))
      .executeTakeFirstOrThrow()
  );
}

type PriceRow = { held: string; n: number; limited: number; at_minimum: number };

/** By the newest decision about each of our offers, looked up one by one: there may be millions of older ones. */
async function pricesOf(trx: Trx, ref: DashboardPlace) {
  await disableSeqScans(trx);
  const { rows } = await pg<PriceRow>`
    select case when d.verdict = 'hold' then d.held else '' end as held, count(*) as n, count(d.min_cents) as limited,
      count(*) filter (where l.price_cents <= d.min_cents) as at_minimum
    from listings l cross join lateral (
      select verdict, held, min_cents from price_decisions p
      where p.item = l.item and p.company = l.company and p.master = l.master and p.marketplace = l.marketplace
      order by p.id desc limit 1) d
    where ${ownOffersOf(ref)} group by 1 order by 2 desc, 1`.execute(trx);
  const sum = (of: (row: PriceRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    limited: sum(({ limited }) => limited),
    at_minimum: sum(({ at_minimum: lowest }) => lowest),
    held: rows.flatMap(({ held, n }) => (held === '' ? [] : [{ reason: held, count: n }])),
  };
}
