import { pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { MessageCount, RankPoint, RankRow, SellerRow } from '#shared/repricer/dashboard.ts';
import { boxDays, rankHours, type RankHour } from './rank-hours.ts';
import { ownOffersOf, type DashboardPlace } from './place.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import { RIVAL_MARK } from '#repricer/model/offer-rank.ts';

/** Maximum number of sellers listed: those with offers for most of the company's products. */
const MOST_SELLERS = 10_000;

type Range = { start: string; end: string };

/** Returns the data of dashboard tabs 1 to 3 without the competitors: messages by day, our ranks and boxes now and over time. */
export async function statisticOf(trx: Trx, ref: DashboardPlace, range: Range, now: Date) {
  const ranks = await ranksOf(trx, ref);
  const hours = Map.groupBy(await rankHours(trx, ref, range).execute(), ({ seller }) => seller);
  const sellerIds = [...ref.sellers.keys()];
  const each = <T>(daten: (seller: string) => T[]) => sellerIds.map((_id) => ({ _id, daten: daten(_id) }));
  return {
    statdata: await messagesOf(trx, ref, range),
    buybox: each((seller) => ranks.get(seller) ?? []),
    buyboxstat: each((seller) => seriesOf(hours.get(seller) ?? [], range, { ranks: ranks.get(seller) ?? [], now })),
    boxtime: each((seller) => boxDays(hours.get(seller) ?? [])),
    sellerIds,
  };
}

async function messagesOf(
  trx: Trx,
  { company, masterid }: DashboardPlace,
  { start, end }: Range,
): Promise<MessageCount[]> {
  const rows = await trx
    .selectFrom('repricer_counters')
    .select((eb) => ['day', 'kind', eb.cast<number>(eb.fn.sum('n'), 'bigint').as('n')])
    .where((eb) => eb.and({ company, ...(masterid === undefined ? {} : { master: masterid }) }))
    .where((eb) => eb.between('day', start, end))
    .groupBy(['day', 'kind'])
    .orderBy('day')
    .orderBy('kind')
    .execute();
  return rows.map(({ day, kind, n }) => ({ datum: { date: day }, ...kindOf(kind), count: n }));
}

/**
 * Splits a counted kind: `held:<gate's reason>`, `sent:<state>`, a verdict, or the reason of a decision, which is in capitals.
 */
function kindOf(kind: string): Pick<MessageCount, 'group' | 'type'> {
  if (kind.startsWith('held:')) return { group: 'held', type: kind.slice(5) };
  if (kind.startsWith('sent:')) return { group: 'sent', type: kind.slice(5) };
  return { group: kind === kind.toLowerCase() ? 'verdict' : 'reason', type: kind };
}

/** Returns the current number of our offers by seller and rank. */
async function ranksOf(trx: Trx, ref: DashboardPlace): Promise<Map<string, RankRow[]>> {
  const rows = await trx
    .selectFrom('listings as l')
    .select((eb) => [
      'l.account',
      eb.fn.coalesce('l.own_rank', eb.lit(0)).as('rank'),
      eb.fn.countAll<number>().as('n'),
      eb.fn.countAll<number>().filterWhere('l.own_box', '=', true).as('box'),
    ])
    .where(ownOffersOf(ref))
    .groupBy(['l.account', 'rank'])
    .orderBy('rank')
    .execute();
  const sellerOf = sellerByAccount(ref);
  return new Map(
    [...Map.groupBy(rows, ({ account }) => sellerOf.get(account) ?? '')].map(([seller, list]) => [
      seller,
      [...Map.groupBy(list, ({ rank }) => rank)].map(([rang, some]) => {
        const [anzahl, box] = [sum(some.map(({ n }) => n)), sum(some.map((one) => one.box))];
        return { rang, anzahl, buybox_count: box, non_buybox_count: anzahl - box };
      }),
    ]),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
const sellerByAccount = ({ sellers }: DashboardPlace) =>
  new Map(
    [...sellers].flatMap(([seller, { accounts }]) => accounts.map((account): [string, string] => [account, seller])),
  );

/** Returns the competitors of each of our sellers, those in most of its articles first. */
export async function sellersOf(trx: Trx, ref: DashboardPlace): Promise<SellerRow[]> {
  // Raw SQL: a set-returning function in FROM makes one row for each competitor in a text.
  const { rows } = await pg<Row<'listings', 'account'> & { entry: string; n: number }>`
    select l.account, r.entry, count(*) as n from listings l, string_to_table(l.rivals, ${RIVAL_MARK}) as r(entry)
    where ${ownOffersOf(ref)} group by 1, 2`.execute(trx);
  const sellerOf = sellerByAccount(ref);
  const found = new Map<string, SellerRow>();
  for (const { account, entry, n } of rows) {
    const [sellerid, rival] = [sellerOf.get(account) ?? '', entry.slice(1)];
    const _id = `${sellerid}/${rival}`;
    const none = { _id, sellerid, comp_seller_id: rival, total_count: 0, buybox_count: 0, non_buybox_count: 0 };
    const row = found.get(_id) ?? none;
    const box = entry.startsWith('1');
    row.total_count += n;
    row[box ? 'buybox_count' : 'non_buybox_count'] += n;
    found.set(_id, row);
  }
  return [...found.values()]
    .sort((one, other) => other.total_count - one.total_count || (one._id < other._id ? -1 : 1))
    .slice(0, MOST_SELLERS);
}

/** 'Verlauf': returns the hourly records, and the present state if the range includes today. */
function seriesOf(
  hours: readonly RankHour[],
  { start, end }: Range,
  { ranks, now }: { ranks: readonly RankRow[]; now: Date },
): RankPoint[] {
  const points = hours.map(({ hour, rank_1, rank_2, rank_3, box }) => ({
    timestamp: hour.toISOString(),
    'rang 1': rank_1,
    'rang 2': rank_2,
    'rang 3': rank_3,
    buy_box: box,
  }));
  const today = berlinDay(now);
  return start <= today && today <= end ? [...points, pointOf(ranks, now)] : points;
}

function pointOf(ranks: readonly RankRow[], now: Date): RankPoint {
  const at = (rank: number) => ranks.find(({ rang }) => rang === rank)?.anzahl ?? 0;
  const box = sum(ranks.map(({ buybox_count }) => buybox_count));
  return { timestamp: now.toISOString(), 'rang 1': at(1), 'rang 2': at(2), 'rang 3': at(3), buy_box: box };
}

/**
 * Records our ranks once an hour for every company: one scan of all own offers, independent of the number of messages, so that
 * their intake costs nothing more. The first process writes the hour. Runs in a system transaction.
 */
export async function recordRanks(trx: Trx, now: Date): Promise<void> {
  const recentlyPolled = pg`l.offers_at > ${now.toISOString()}::timestamptz - interval '24 hours'`;
  await pg`insert into rank_history (company, master, seller, hour, rank_1, rank_2, rank_3, box, observed, observed_box)
    select l.company, l.master, upper(btrim(a.seller_id)), date_trunc('hour', ${now.toISOString()}::timestamptz),
      count(*) filter (where l.own_rank = 1), count(*) filter (where l.own_rank = 2), count(*) filter (where l.own_rank = 3),
      count(*) filter (where l.own_box), count(*) filter (where ${recentlyPolled}), count(*) filter (where ${recentlyPolled} and l.own_box)
    from listings l join marketplace_accounts a on a.company = l.company and a.id = l.account
    where l.messages > 0 group by 1, 2, 3 on conflict do nothing`.execute(trx);
}
