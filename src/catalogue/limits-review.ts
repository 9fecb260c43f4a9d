import type { Trx } from '#platform/db/database.ts';
import { anyOf } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { RepricerRules } from '#shared/repricer/schema.ts';
import { ASKED_ABOVE } from '#shared/repricer/before-save.ts';
import type { CatalogueRef } from './catalogue-ref.ts';

/** The fields that limits of prices are read from, of paused rules too: those are switched on with a click. */
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
 * From now on a price whose limits are not those of the last one sent waits until somebody who may set prices has looked.
 * `why`: a German sentence.
 */
export async function askLimitsReview(trx: Trx, { company, masterid }: CatalogueRef, why: string): Promise<void> {
  await trx
    .insertInto('repricer_states')
    .values({ company, master: masterid, active: true, dry_run: false, stopped: false, author: '', limits_review: why })
    .onConflict((conflict) => conflict.columns(['company', 'master']).doUpdateSet({ limits_review: why }))
    .execute();
}

/** Why limits wait for a look; '': they do not. */
export async function limitsReview(trx: Trx, { company, masterid }: CatalogueRef): Promise<string> {
  const state = await trx
    .selectFrom('repricer_states')
    .select('limits_review')
    .where((eb) => eb.and({ company, master: masterid }))
    .executeTakeFirst();
  return state?.limits_review ?? '';
}

/**
 * Asks back before limits of many offers move, unless just this was asked and agreed to. `what`: a German sentence that says which;
 * `offers`: of how many, null where nobody knows.
 * @throws 409 limits_confirm with the mark of the question
 */
export function requireConfirmed({ given, markOf }: Confirmation, what: string, offers: number | null): void {
  const mark = markOf(`${offers ?? ''} ${what}`);
  if (given === mark) return;
  throw new KontorError(409, 'limits_confirm', questionText(what), { confirm: { mark, offers } });
}

/** What somebody reads who is asked back. `what`: a German sentence that says which limits move. */
export const questionText = (what: string): string =>
  `${what} Es wurde nichts gespeichert. Wenn das so gewollt ist, bestätigen Sie es bitte.`;

/**
 * Counts what would move. Where that cannot be counted in its time, it is asked about all the same: a save must stay possible.
 * `what`: a German sentence that says which limits.
 */
export async function lookOrAsk(
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

/** Whether the catalogue has so many own offers that a save could move limits of more than are asked about: else nothing need be counted. */
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

/** Whether a price was ever made to be sent for one of these items. */
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
