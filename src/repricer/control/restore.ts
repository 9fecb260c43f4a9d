import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import { expressionBuilder, type NotNull } from 'kysely';
import type { Trx } from '#platform/db/database.ts';
import type { Decision } from '#shared/repricer/decision.ts';
import type { RestorePreview } from '#shared/repricer/state.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { loadSafety } from './safety.ts';

/** 'Letzte gute Preise': until a user ends it, every offer of the catalogue gets the price that was live before `moment`. */
export type Restore = { id: string; moment: Date; reason: string; author: string; startedAt: Date };

export async function openRestore(trx: Trx, { company, masterid }: CatalogueRef): Promise<Restore | undefined> {
  return trx
    .selectFrom('price_restores')
    .select(['id', 'moment', 'reason', 'author', 'started_at as startedAt'])
    .where((eb) => eb.and({ company, master: masterid, ended_at: null }))
    .executeTakeFirst();
}

/**
 * Query of each offer's last price that was live before a moment; if none was sent before, the price found by the first send
 * after it. Null: we never changed the price, so there is nothing to restore.
 */
const offersOf = (trx: Trx, { company, masterid }: CatalogueRef, moment: Date) =>
  trx
    .selectFrom('listings as l')
    .select(['l.item', 'l.marketplace', 'l.price_cents as old'])
    .select((eb) => {
      const ofOffer = eb
        .selectFrom('price_submissions as s')
        .whereRef('s.item', '=', 'l.item')
        .whereRef('s.company', '=', 'l.company')
        .whereRef('s.master', '=', 'l.master')
        .whereRef('s.marketplace', '=', 'l.marketplace')
        .limit(1);
      const live = ofOffer.where('s.state', '=', 'live').where('s.ended_at', '<=', moment);
      const after = ofOffer.where('s.sent_at', '>', moment);
      return eb.fn
        .coalesce(
          live.select('s.price_cents').orderBy('s.created_at', 'desc').$asScalar(),
          after.select('s.from_cents').orderBy('s.created_at').$asScalar(),
        )
        .$castTo<number | null>()
        .as('good');
    })
    .where((eb) => eb.and({ 'l.company': company, 'l.master': masterid }));

/** Returns the prices to restore by item; an offer that is missing is left unchanged. */
export async function goodPrices(
  trx: Trx,
  ref: CatalogueRef,
  { marketplace, items, moment }: { marketplace: string; items: readonly string[]; moment: Date },
): Promise<Map<string, number>> {
  const rows = await offersOf(trx, ref, moment)
    .where('l.marketplace', '=', marketplace)
    .where('l.item', '=', anyOf(items))
    .execute();
  return new Map(rows.flatMap(({ item, good }) => (good === null ? [] : [[item, good]])));
}

/** Returns how many offers of a catalogue would change, and the first of the changes. */
export async function previewRestore(trx: Trx, ref: CatalogueRef, moment: Date): Promise<RestorePreview> {
  await disableSeqScans(trx);
  const { figures: safety } = await loadSafety(trx, ref);
  const offers = offersOf(trx, ref, moment).as('o');
  const eb = expressionBuilder<{ o: { good: number | null; old: number | null } }, 'o'>();
  const differs = eb('o.good', '<>', eb.ref('o.old'));
  // Cast to bigint, since a hundred times a price may exceed its column's type.
  const steep = pg<boolean>`abs(o.good - o.old)::bigint * 100 > o.old::bigint * ${safety.step}::int`;
  const counts = await trx
    .selectFrom(offers)
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.countAll<number>().filterWhere(differs).as('changed'),
      eb.fn
        .countAll<number>()
        .filterWhere(eb.or([eb('o.good', 'is', null), eb('o.old', 'is', null)]))
        .as('unknown'),
      eb.fn.countAll<number>().filterWhere(differs).filterWhere(steep).as('steps'),
    ])
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom(offers)
    .select(['o.item', 'o.marketplace', 'o.old as from_cents', 'o.good as to_cents'])
    .where(differs)
    .orderBy('o.marketplace')
    .orderBy('o.item')
    .limit(20)
    .$narrowType<{ from_cents: NotNull; to_cents: NotNull }>()
    .execute();
  return { ...counts, rows };
}

/** Starts a restore. @throws 409 while another one is open */
export async function startRestore(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  { id, moment, reason, author, startedAt }: Restore,
): Promise<void> {
  if ((await openRestore(trx, { company, masterid })) !== undefined)
    throw new KontorError(409, 'restoring', 'Es wird schon wiederhergestellt. Beenden Sie das zuerst.');
  await trx
    .insertInto('price_restores')
    .values({ company, id, master: masterid, moment, reason, author, started_at: startedAt })
    .execute();
}

export async function endRestore(trx: Trx, { company, masterid }: CatalogueRef, by: string, now: Date): Promise<void> {
  await trx
    .updateTable('price_restores')
    .set({ ended_at: now, ended_by: by })
    .where((eb) => eb.and({ company, master: masterid, ended_at: null }))
    .execute();
}

/**
 * Returns the decision with the good price instead of the rule's. The rule's limits still apply: a price outside of them is not
 * sent.
 */
export function restored(decision: Decision, price: number): Decision {
  const { min_cents: min, max_cents: max } = decision.arithmetic;
  const held = decision.reason.startsWith('HOLD_') || min === null || max === null;
  if (held) return decision;
  const arithmetic = { ...decision.arithmetic, target: null, first_target: null, computed_cents: null };
  const inside = price >= min && price <= max;
  return {
    price_cents: inside ? price : null,
    reason: inside ? 'RESTORED' : 'HOLD_RESTORE_BOUNDS',
    target_seller_id: null,
    arithmetic,
  };
}
