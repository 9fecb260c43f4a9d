import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { PriceSafety } from '#shared/repricer/safety.ts';
import { fulfilments, type Offer } from '#marketplaces/port.ts';
import type { Listing } from '#repricer/model/listings.ts';
import type { PricingInput, Priced } from '#repricer/decide/evaluate-price.ts';

/** Slots of a company; an item has one, so that the samples spread over the catalogue and each is its item's latest. */
const SLOTS = 2000;
/** How many decisions of a batch are sampled: sampling every one would make writing decisions much slower. */
const OF_A_BATCH = 16;

const cents = z.number().int();
const known = cents.nullable();
const Facts = z.object({
  before: z.object({ min: cents, max: cents }).nullable(),
  dayAgo: known,
  sends: z.array(z.object({ at: z.number(), from: known, to: cents })),
  inFlight: z.boolean(),
});
const OurOffer = z.object({
  item: z.string(),
  marketplace: z.string(),
  account: z.string(),
  sku: z.string(),
  productId: z.string(),
  condition: z.string(),
  fulfilment: z.enum(fulfilments),
  currency: z.string(),
  shipping: known,
  price: known,
  stock: known,
}) satisfies z.ZodType<Listing>;
const KnownOffer = z.object({
  seller_id: z.string(),
  condition: z.string(),
  fulfilment: z.enum(fulfilments),
  listing_price_cents: cents,
  shipping_cents: known,
  currency: z.string(),
  is_buybox: z.boolean(),
  feedback_count: z.number().nullable(),
  feedback_rating: z.number().nullable(),
}) satisfies z.ZodType<Offer>;
const Basis = z.object({
  now: z.number(),
  listing: OurOffer,
  fields: z.record(z.string(), z.string().nullable()),
  without: z.enum(['HOLD_ITEM_EXCLUDED', 'HOLD_FIELDS_FAILED']).nullable(),
  offers: z.object({ at: z.number(), list: z.array(KnownOffer) }).nullable(),
  sellerIds: z.array(z.string()),
  seller: z.string().optional(),
  limitsCurrency: z.string().optional(),
  good: known,
  version: z.string(),
  snapshotAt: z.number().nullable(),
  limitsConfirmed: z.boolean(),
  limitsReview: z.boolean().default(false),
  facts: Facts,
  switches: z.object({
    active: z.boolean(),
    dryRun: z.boolean(),
    stopped: z.boolean(),
    breaker: z.boolean(),
    // Earlier versions lack it; their decisions can still be recomputed.
    alarm: z.boolean().default(false),
  }),
  safety: PriceSafety,
  canary: z.object({ since: z.number(), total: z.number(), sent: z.number(), included: z.boolean() }).nullable(),
}) satisfies z.ZodType<PricingInput>;

/** The outcome of a decision: everything that a sent price depends on. */
const Outcome = z.object({
  rule: z.string(),
  price: known,
  reason: z.string(),
  /** The gate's verdict: the kind with its price or its reason; '' if there was no price to check. */
  verdict: z.string(),
});
export type Outcome = z.infer<typeof Outcome>;

export function outcomeOf({ rule, decision, verdict }: Priced): Outcome {
  const words =
    verdict === undefined
      ? ''
      : [verdict.kind, 'price' in verdict ? verdict.price : '', 'reason' in verdict ? verdict.reason : ''].join(' ');
  return { rule: rule.id, price: decision.price_cents, reason: decision.reason, verdict: words.trim() };
}

/** Stores samples of the decisions just made. Restored prices are not decided by rules; without figures nothing was decided. */
export async function storeReplaySamples(
  trx: Trx,
  { company, masterid, now, revision, program }: CatalogueRef & { now: Date; revision: number; program: string },
  records: readonly (Priced & { basis: PricingInput; restored: boolean })[],
): Promise<void> {
  const stride = Math.ceil(records.length / OF_A_BATCH);
  const rows = records
    .filter(
      ({ restored, basis }, index) =>
        !restored && Basis.shape.safety.safeParse(basis.safety).success && index % stride === 0,
    )
    .map((record) => ({
      item: record.basis.listing.item,
      basis: JSON.stringify(record.basis),
      outcome: JSON.stringify(outcomeOf(record)),
    }));
  if (rows.length === 0) return;
  // In the order of the slots: two processes with samples of the same company must not deadlock.
  await pg`insert into decision_samples (company, slot, master, item, taken_at, program, rule_revision, basis, outcome)
    select distinct on (slot) ${company}, abs(hashtext(${masterid} || r.item) % ${SLOTS}::int) as slot, ${masterid}, r.item,
      ${now.toISOString()}::timestamptz, ${program}, ${revision}::int, r.basis, r.outcome
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(item text, basis text, outcome text) order by slot
    on conflict (company, slot) do update set master = excluded.master, item = excluded.item, taken_at = excluded.taken_at,
      program = excluded.program, rule_revision = excluded.rule_revision, basis = excluded.basis, outcome = excluded.outcome`.execute(
    trx,
  );
}

/** `basis` undefined: another version stored it and this one cannot parse it. */
export type Sample = {
  item: string;
  program: string;
  revision: number;
  basis: PricingInput | undefined;
  outcome: Outcome | undefined;
};

/** Returns the latest samples of a catalogue that other versions of the program decided. */
export async function samplesOfOthers(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  program: string,
  limit: number,
): Promise<Sample[]> {
  const rows = await trx
    .selectFrom('decision_samples')
    .select(['item', 'program', 'rule_revision', 'basis', 'outcome'])
    .where('company', '=', company)
    .where('master', '=', masterid)
    .where('program', '<>', program)
    .orderBy('taken_at', 'desc')
    .orderBy('slot')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    item: row.item,
    program: row.program,
    revision: row.rule_revision,
    basis: Basis.safeParse(JSON.parse(row.basis)).data,
    outcome: Outcome.safeParse(JSON.parse(row.outcome)).data,
  }));
}

/** Returns catalogues with samples that other versions decided. Runs in a system transaction. */
export function decidedByOthers(trx: Trx, program: string): Promise<CatalogueRef[]> {
  return trx
    .selectFrom('decision_samples')
    .select(['company', 'master as masterid'])
    .distinct()
    .where('program', '<>', program)
    .orderBy('company')
    .orderBy('master')
    .execute();
}

/** Deletes a catalogue's samples after a user has accepted that this version decides differently. */
export async function deleteSamples(trx: Trx, { company, masterid }: CatalogueRef): Promise<void> {
  await trx.deleteFrom('decision_samples').where('company', '=', company).where('master', '=', masterid).execute();
}
