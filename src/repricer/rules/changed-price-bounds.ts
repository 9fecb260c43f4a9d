import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { limitsReview } from '#catalogue/limits-review.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { ChangedPriceBounds } from '#shared/repricer/state.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { priceFacts } from '#repricer/gate/gate-facts.ts';
import { limitsNow, versionOf } from '#repricer/model/pricing-inputs-version.ts';
import { confirmedLimits } from '#repricer/control/state.ts';

type Row = { marketplace: string; item: string; min_cents: number; max_cents: number; total: number; full: boolean };
type Example = ChangedPriceBounds['examples'][number];

/** How many of the company's newest decisions are examined, so that the cost grows neither with the catalogue nor with the history. */
const LOOKED_AT = 10_000;
/** How many held prices are searched for the largest changes, and how many of those are shown. */
const COMPARED = 200;
const SHOWN = 5;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns own offers whose latest decision of the last day is held because their limits changed strongly, until these limits are
 * confirmed; null if there are none. `more`: not all decisions were examined, so there may be more offers.
 */
export async function changedPriceBounds(trx: Trx, ref: CatalogueRef, now: Date): Promise<ChangedPriceBounds | null> {
  const version = versionOf(await limitsNow(trx, ref));
  if ((await confirmedLimits(trx, ref)) === version || !(await heldLately(trx, ref, now))) return null;
  const rows = await heldNow(trx, ref, version, now);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    items: first.total,
    more: first.full,
    review: await limitsReview(trx, ref),
    examples: await steepest(trx, ref, rows, now),
  };
}

/**
 * Returns whether prices were held for changed limits lately: the day's counters nearly always show that none was, without
 * reading decisions.
 */
async function heldLately(trx: Trx, { company, masterid }: CatalogueRef, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
  const found = await trx
    .selectFrom('repricer_counters')
    .select('kind')
    .where((eb) => eb.and({ company, master: masterid, kind: 'held:LIMITS_MOVED' }))
    .where('day', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

async function heldNow(trx: Trx, { company, masterid }: CatalogueRef, version: string, now: Date): Promise<Row[]> {
  await disableSeqScans(trx);
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  // MATERIALIZED, so that the latest decisions are read once for both queries.
  const { rows } = await pg<Row>`with newest as materialized (
      select id, master, marketplace, item, decided_at, limits_version, held, min_cents, max_cents from price_decisions
      where company = ${company} order by id desc limit ${LOOKED_AT}),
    latest as (select distinct on (marketplace, item) * from newest
      where master = ${masterid} and decided_at > ${since}::timestamptz order by marketplace, item, id desc)
    select marketplace, item, min_cents, max_cents, count(*) over () as total,
      (select count(*) from newest) = ${LOOKED_AT} as full
    from latest l where held = 'LIMITS_MOVED' and (limits_version = ${version} or ${isStillDecided({ company, masterid }, version)})
    order by id desc limit ${COMPARED}`.execute(trx);
  return rows;
}

/** SQL: decided under an earlier version that is equal for this offer: the change was noticed, and the offer is not queued. */
const isStillDecided = (
  { company, masterid }: CatalogueRef,
  version: string,
) => pg`exists (select 1 from noticed_catalogues n
    where n.company = ${company} and n.master = ${masterid} and n.version = ${version})
  and not exists (select 1 from reprice_queue q where q.company = ${company} and q.master = ${masterid}
    and q.marketplace = l.marketplace and q.item = l.item)`;

async function steepest(trx: Trx, ref: CatalogueRef, rows: readonly Row[], now: Date): Promise<Example[]> {
  const examples: Example[] = [];
  for (const [marketplace, list] of Map.groupBy(rows, (row) => row.marketplace)) {
    const facts = await priceFacts(trx, ref, { marketplace, items: list.map(({ item }) => item), now });
    for (const { item, min_cents, max_cents } of list) {
      const before = facts.get(item)?.before;
      if (before === undefined || before === null) continue;
      const old = { min_cents: before.min, max_cents: before.max };
      examples.push({ item, marketplace, old, now: { min_cents, max_cents } });
    }
  }
  return examples.sort((one, other) => steepness(other) - steepness(one)).slice(0, SHOWN);
}

/** Returns the factor by which the limit that changed more has changed, up or down. */
function steepness({ old, now }: Example): number {
  const times = (from: number, to: number) => Math.max(from / to, to / from);
  return Math.max(times(old.min_cents, now.min_cents), times(old.max_cents, now.max_cents));
}
