import type { Trx } from '#platform/db/database.ts';
import { anyOf } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { RepricerRules } from '#shared/repricer/schema.ts';
import { ASKED_ABOVE } from '#shared/repricer/before-save.ts';
import type { CatalogueRef } from './catalogue-ref.ts';

/** Returns the fields that price bounds are read from, including paused rules, which a click can activate. */
export async function limitFields(trx: Trx, { company, masterid }: CatalogueRef): Promise<Set<string>> {
  const { body } = await loadDocument(trx, company, 'repricer', `master:${masterid}`);
  const rules = body === undefined ? [] : RepricerRules.parse(JSON.parse(body));
  return new Set(
    rules
      .flatMap(({ action: { min_price, max_price, standard_price } }) => [min_price, max_price, standard_price])
      .flatMap(({ value }) => (value === '' ? [] : [value])),
  );
}

/**
 * Makes prices wait whose bounds differ from those of the last price sent, until a user who may set prices has reviewed them.
 * `why`: a German sentence.
 */
export async function askLimitsReview(trx: Trx, { company, masterid }: CatalogueRef, why: string): Promise<void> {
  await trx
    .insertInto('repricer_states')
    .values({ company, master: masterid, active: true, dry_run: false, stopped: false, author: '', limits_review: why })
    .onConflict((conflict) => conflict.columns(['company', 'master']).doUpdateSet({ limits_review: why }))
    .execute();
}

/** Returns why changed bounds wait for a review; '': they do not. */
export async function limitsReview(trx: Trx, { company, masterid }: CatalogueRef): Promise<string> {
  const state = await trx
    .selectFrom('repricer_states')
    .select('limits_review')
    .where((eb) => eb.and({ company, master: masterid }))
    .executeTakeFirst();
  return state?.limits_review ?? '';
}

/**
 * Requires a confirmation before the price bounds of many offers change, unless this very change was confirmed. `what`: a German
 * sentence that describes it; `offers`: number of affected offers, null if unknown.
 * @throws 409 limits_confirm with the mark of the question
 */
export function requireConfirmed({ given, markOf }: Confirmation, what: string, offers: number | null): void {
  const mark = markOf(`${offers ?? ''} ${what}`);
  if (given === mark) return;
  throw new KontorError(409, 'limits_confirm', questionText(what), { confirm: { mark, offers } });
}

/** Returns the question for the user. `what`: a German sentence that says which bounds change. */
export const questionText = (what: string): string =>
  `${what} Es wurde nichts gespeichert. Wenn das so gewollt ist, bestätigen Sie es bitte.`;

/**
 * Returns the number of offers whose bounds would change. If it cannot be counted in time, the user is asked to confirm anyway:
 * saving must remain possible.
 * `what`: a German sentence that says which bounds.
 */
export async function countOrConfirm(
  confirmation: Confirmation,
  what: string,
  count: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  try {
    return await confirmation.look(count);
  } catch (error) {
    const waits = error instanceof KontorError && (error.status === 429 || error.code === 'gone');
    if (waits || !(error instanceof KontorError)) throw error;
    requireConfirmed(confirmation, `${what} Bei wie vielen Angeboten, ließ sich jetzt nicht ausrechnen.`, null);
    return 0;
  }
}

/** Whether the catalogue has enough own offers for a save to require confirmation; if not, nothing needs to be counted. */
export async function hasManyOffers(trx: Trx, { company, masterid }: CatalogueRef): Promise<boolean> {
  const one = await trx
    .selectFrom('listings')
    .select('item')
    .where((eb) => eb.and({ company, master: masterid }))
    .offset(ASKED_ABOVE)
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}

/** Whether a price was ever queued to be sent for one of these items. */
export async function hadPrices(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  items: readonly string[],
): Promise<boolean> {
  const found = await trx
    .selectFrom('price_submissions')
    .select('id')
    .where((eb) => eb.and({ company, master: masterid }))
    .where('item', '=', anyOf(items))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
