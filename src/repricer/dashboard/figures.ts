import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { RIVAL_MARK } from '#repricer/model/offer-rank.ts';
import type { RepricerFigures } from '#shared/repricer/dashboard.ts';
import { ownOffersOf, type DashboardPlace } from './place.ts';
import { boxDays, rankHours } from './rank-hours.ts';

const DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns the key figures: who has the buy boxes now and had them these days, which prices are at their limit, which are held.
 */
export async function figuresOf(
  { database, clock }: { database: Database; clock: Clock },
  ref: DashboardPlace,
): Promise<RepricerFigures> {
  const now = clock.now();
  const range = { start: berlinDay(new Date(now.getTime() - (DAYS - 1) * DAY_MS)), end: berlinDay(now) };
  const { time, ...boxes } = await database.company(ref.company, async (trx) => ({
    time: boxDays(await rankHours(trx, ref, range).execute()),
    ...(await boxesOf(trx, ref)),
  }));
  return { at: now.toISOString(), ...boxes, ...(await pricesOf(database, ref)), box_time: time };
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
      // A competitor in the box has a mark before its id; if none has it and we do not either, the marketplace gives it to
      // nobody.
      .select(
        pg<number>`count(*) filter (where l.offers_at is not null and not l.own_box
        and strpos(${RIVAL_MARK} || l.rivals, ${`${RIVAL_MARK}1`}) = 0)`.as('nobody'),
      )
      .where(ownOffersOf(ref))
      .executeTakeFirstOrThrow()
  );
}

type Key = { master: string; marketplace: string; item: string };
type PriceRow = { reason: string; n: number; limited: number; at_minimum: number };

/** Offers read per query: some tenths of a second, in which the embedded database answers no other request. */
const PIECE = 10_000;

/** Counts the latest decision of each of our offers, looked up one by one: there may be millions of older ones. */
async function pricesOf(database: Database, ref: DashboardPlace) {
  const rows: PriceRow[] = [];
  let after: Key | undefined = { master: '', marketplace: '', item: '' };
  while (after !== undefined) {
    const from: Key = after;
    after = await database.company(ref.company, async (trx) => {
      const until = await keyBehind(trx, ref, from);
      rows.push(...(await newestOf(trx, ref, from, until)));
      return until;
    });
  }
  const sum = (of: (row: PriceRow) => number, which = rows) => which.reduce((total, row) => total + of(row), 0);
  const byReason = Map.groupBy(
    rows.filter(({ reason }) => reason !== ''),
    ({ reason }) => reason,
  );
  return {
    limited: sum(({ limited }) => limited),
    at_minimum: sum(({ at_minimum: lowest }) => lowest),
    held: [...byReason]
      .map(([reason, some]) => ({ reason, count: sum(({ n }) => n, some) }))
      .toSorted((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1)),
  };
}

/** Returns the last key of the batch that begins after this one; undefined if the batch reaches the end. */
const keyBehind = (trx: Trx, ref: DashboardPlace, from: Key): Promise<Key | undefined> =>
  trx
    .selectFrom('listings as l')
    .select(['l.master', 'l.marketplace', 'l.item'])
    .where(ownOffersOf(ref))
    .where((eb) =>
      eb(eb.refTuple('l.master', 'l.marketplace', 'l.item'), '>', eb.tuple(from.master, from.marketplace, from.item)),
    )
    .orderBy('l.master')
    .orderBy('l.marketplace')
    .orderBy('l.item')
    .offset(PIECE - 1)
    .limit(1)
    .executeTakeFirst();

async function newestOf(trx: Trx, ref: DashboardPlace, from: Key, until: Key | undefined): Promise<PriceRow[]> {
  await disableSeqScans(trx);
  return trx
    .selectFrom('listings as l')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('price_decisions as p')
          .select(['p.held', 'p.min_cents'])
          .select((of) => of('p.verdict', '=', 'hold').as('is_held'))
          .whereRef('p.item', '=', 'l.item')
          .whereRef('p.company', '=', 'l.company')
          .whereRef('p.master', '=', 'l.master')
          .whereRef('p.marketplace', '=', 'l.marketplace')
          .orderBy('p.id', 'desc')
          .limit(1)
          .as('d'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      eb.case().when('d.is_held', '=', true).then(eb.ref('d.held')).else('').end().as('reason'),
      eb.fn.countAll<number>().as('n'),
      eb.fn.count<number>('d.min_cents').as('limited'),
      eb.fn.countAll<number>().filterWhereRef('l.price_cents', '<=', 'd.min_cents').as('at_minimum'),
    ])
    .where(ownOffersOf(ref))
    .where((eb) =>
      eb(eb.refTuple('l.master', 'l.marketplace', 'l.item'), '>', eb.tuple(from.master, from.marketplace, from.item)),
    )
    .$if(until !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('l.master', 'l.marketplace', 'l.item'),
          '<=',
          eb.tuple(until?.master ?? '', until?.marketplace ?? '', until?.item ?? ''),
        ),
      ),
    )
    .groupBy('reason')
    .execute();
}
