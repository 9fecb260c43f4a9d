import { integerText } from '#shared/values/integer-text.ts';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { anyFound, anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { addNotification } from '#notifications/notifications.ts';
import { deleteSamples } from '#repricer/record/replay-samples.ts';
import type { PriceSafety } from '#shared/repricer/safety.ts';
import type { Figures } from './breaker-budgets.ts';
import { loadSafety } from './safety.ts';
import { setStop } from './state.ts';

/**
 * Breakers check many prices at once, which no check of a single price can: both great disasters of this trade were thousands of
 * prices that each looked allowed. A tripped breaker holds all prices of the catalogue until a person releases it.
 */
export const BREAKERS = {
  least: 20,
  catalogue: { minutes: 60 },
  minimum: { minutes: 15 },
  value: { minutes: 60 },
  /** Trips for `count` companies, or for `least` that are also more than `share` of those selling. */
  companies: { count: 3, least: 2, share: 0.05, minutes: 10 },
} as const;

export type Breaker = { id: string; kind: string; details: string; trippedAt: Date };

export async function openBreakers(trx: Trx, { company, masterid }: CatalogueRef): Promise<Breaker[]> {
  return trx
    .selectFrom('price_breakers')
    .select(['id', 'kind', 'details', 'tripped_at as trippedAt'])
    .where((eb) => eb.and({ company, master: masterid, released_at: null }))
    .orderBy('tripped_at')
    .execute();
}

type Row = { active: number; changed: number; at_minimum: number; loss: number; value: number };

/**
 * Checks the prices sent lately and those waiting; trips breakers as needed and then holds all waiting prices. `missing`: how far
 * each figure may still grow before a breaker trips.
 */
export async function checkBreakers(
  trx: Trx,
  ids: Ids,
  { company, masterid }: CatalogueRef,
  now: Date,
): Promise<{ made: Breaker[]; missing: Figures }> {
  const { figures: safety } = await loadSafety(trx, { company, masterid });
  const figures = await figuresOf(trx, { company, masterid }, safety, now);
  const made = await trip(trx, ids, { company, masterid }, wrongOf(figures, safety), now);
  return { made, missing: missingOf(figures, safety) };
}

/** Trips breakers (kind and text for people) and holds all waiting prices; returns those that were not open yet. */
export async function trip(
  trx: Trx,
  ids: Ids,
  { company, masterid }: CatalogueRef,
  wrong: readonly [kind: string, details: string][],
  now: Date,
): Promise<Breaker[]> {
  if (wrong.length === 0) return [];
  const made: Breaker[] = [];
  for (const [kind, details] of wrong) {
    const breaker = { id: ids.id(), kind, details, trippedAt: now };
    const inserted = await trx
      .insertInto('price_breakers')
      .values({ company, id: breaker.id, master: masterid, kind, details, tripped_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 0n) made.push(breaker);
  }
  // Locked rows are skipped: their owner sends them (and checked before this breaker existed), replaces them, or leaves them to a
  // sender that finds the breaker. Waiting could deadlock two trips, or a trip and a decision.
  const waiting = trx
    .selectFrom('price_submissions')
    .select('id')
    .where((eb) => eb.and({ company, master: masterid, state: 'new' }))
    .forUpdate()
    .skipLocked();
  await trx
    .updateTable('price_submissions')
    .set({ state: 'held', held: 'BREAKER', ended_at: now })
    .where((eb) => eb.and({ company, state: 'new' }))
    .where('id', '=', anyFound(waiting))
    .execute();
  return made;
}

/** Notifies people of every breaker that tripped. */
export async function notifyTripped(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  breakers: readonly Breaker[],
): Promise<void> {
  for (const { id, details } of breakers) {
    await addNotification(trx, company, {
      id: `breaker-${id}`,
      event: 'blocked',
      title: 'Wartet auf Freigabe: Preise angehalten',
      text: `${details} Es wird kein Preis gesendet, bis die Sicherung freigegeben ist.`,
      path: `/repricer/${masterid}`,
    });
  }
}

async function figuresOf(trx: Trx, { company, masterid }: CatalogueRef, safety: PriceSafety, now: Date): Promise<Row> {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
  // After a release the figures start at the release, and for a day they omit the prices that the breaker held: all are decided
  // again then, and the same breaker would trip on them at once. A day only: the same fault a month later is news. Raw SQL: the
  // builder lacks ordered arrays and sums over counted pairs.
  const { rows } = await pg<Row>`with start as (
      select coalesce(max(released_at), '-infinity'::timestamptz) as at from price_breakers
      where company = ${company} and master = ${masterid}),
    moved as (
      select item, marketplace, from_cents, price_cents, reached_min, stock, created_at from price_submissions s, start
      where company = ${company} and master = ${masterid} and state <> 'held' and not s.restored and created_at > start.at
        and created_at > ${ago(60)}::timestamptz
        and not (start.at > '-infinity' and created_at < start.at + interval '24 hours' and (exists (select 1 from price_submissions seen
            where seen.item = s.item and seen.company = s.company and seen.master = s.master and seen.marketplace = s.marketplace
              and seen.price_cents = s.price_cents and seen.held = 'BREAKER' and seen.ended_at <= start.at)
          or exists (select 1 from price_decisions seen
            where seen.item = s.item and seen.company = s.company and seen.master = s.master and seen.marketplace = s.marketplace
              and seen.price_cents = s.price_cents and seen.held = 'BREAKER' and seen.decided_at <= start.at))))
    select (select count(*) from listings where company = ${company} and master = ${masterid}) as active,
      (select count(distinct (marketplace, item)) from moved where created_at > ${ago(BREAKERS.catalogue.minutes)}::timestamptz
        and abs(price_cents - from_cents)::bigint * 100 > from_cents::bigint * ${safety.changedBy}::int) as changed,
      (select count(distinct (marketplace, item)) from moved where created_at > ${ago(BREAKERS.minimum.minutes)}::timestamptz
        and reached_min) as at_minimum,
      (select coalesce(sum(greatest(0, lost)), 0)::bigint from (select ((array_agg(from_cents order by created_at))[1]
          - (array_agg(price_cents order by created_at desc))[1])::bigint * max(stock) as lost
        from moved where created_at > ${ago(BREAKERS.value.minutes)}::timestamptz group by marketplace, item) items) as loss,
      (select coalesce(sum(price_cents::bigint * stock), 0)::bigint from listings where company = ${company} and master = ${masterid}) as value`.execute(
    trx,
  );
  return rows[0] ?? { active: 0, changed: 0, at_minimum: 0, loss: 0, value: 0 };
}

/** Returns how far each figure is below the largest value that trips nothing; the inverse of `wrongOf`. */
function missingOf({ active, changed, at_minimum, loss, value }: Row, safety: PriceSafety): Figures {
  const { least } = BREAKERS;
  const most = (percent: number) => Math.max(least - 1, Math.floor((active * percent) / 100));
  return {
    changed: most(safety.changedShare) - changed,
    atMinimum: most(safety.minimumShare) - at_minimum,
    loss: active >= least && value > 0 ? Math.floor((value * safety.valueLoss) / 100) - loss : Number.MAX_SAFE_INTEGER,
  };
}

function wrongOf({ active, changed, at_minimum, loss, value }: Row, safety: PriceSafety): [string, string][] {
  const wrong: [string, string][] = [];
  const { least, catalogue, minimum, value: atRisk } = BREAKERS;
  const more = (count: number, percent: number) => count >= least && count * 100 > active * percent;
  if (more(changed, safety.changedShare))
    wrong.push([
      'catalogue',
      `${integerText(changed)} von ${integerText(active)} Artikeln änderten sich in ${catalogue.minutes} Minuten um mehr als ${safety.changedBy} %.`,
    ]);
  if (more(at_minimum, safety.minimumShare))
    wrong.push([
      'minimum',
      `${integerText(at_minimum)} von ${integerText(active)} Artikeln fielen in ${minimum.minutes} Minuten auf ihren Mindestpreis.`,
    ]);
  // Money, not counts: three articles with a large stock can lose more than thousands of others. A few items are too few for
  // shares.
  if (active >= least && value > 0 && loss * 100 > value * safety.valueLoss)
    wrong.push(['value', `Der Warenwert fiel in ${atRisk.minutes} Minuten um mehr als ${safety.valueLoss} %.`]);
  return wrong;
}

/** Releases breakers of a catalogue. `ids`: the breakers that the user has seen; one that tripped since stays. Undefined: all. */
export async function releaseBreakers(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  release: { by: string; reason: string; now: Date },
  ids?: readonly string[],
): Promise<number> {
  const rows = await trx
    .updateTable('price_breakers')
    .set({ released_at: release.now, released_by: release.by, reason: release.reason })
    .where((eb) => eb.and({ company, master: masterid, released_at: null }))
    .where((eb) => (ids === undefined ? eb.lit(true) : eb('id', '=', anyOf(ids))))
    .returning('kind')
    .execute();
  if (rows.some(({ kind }) => kind === 'release')) await deleteSamples(trx, { company, masterid });
  return rows.length;
}

/** Stops all companies if breakers tripped at several at once: then the fault is ours. Runs in a system transaction. */
export async function stopEverybody(trx: Trx, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - BREAKERS.companies.minutes * 60_000);
  const { tripped } = await trx
    .selectFrom('price_breakers')
    .select((eb) => eb.fn.count<number>('company').distinct().as('tripped'))
    .where('tripped_at', '>', since)
    .executeTakeFirstOrThrow();
  const { all } = await trx
    .selectFrom('marketplace_accounts')
    .select((eb) => eb.fn.count<number>('company').distinct().as('all'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  const { count, least, share } = BREAKERS.companies;
  const many = tripped >= count || (tripped >= least && tripped > all * share);
  if (many) await setStop(trx, '*', true, 'Sicherungen lösten bei mehreren Firmen zugleich aus.');
  return many;
}
