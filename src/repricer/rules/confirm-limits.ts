import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { hasManyOffers, countOrConfirm, questionText, requireConfirmed } from '#catalogue/limits-review.ts';
import { KontorError } from '#platform/errors.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import type { SimulateDeps } from '#repricer/simulation/simulate.ts';
import {
  ASKED_ABOVE,
  type AskedLimitChange,
  type LimitChange,
  type LimitMoves,
  limitsQuestion,
  type LimitsQuestion,
  limitWords,
} from '#shared/repricer/before-save.ts';
import { isComplete, type RepricerRule } from '#shared/repricer/schema.ts';
import { openRestore } from '#repricer/control/restore.ts';
import { listingsOf } from '#repricer/model/listings.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { limitChange } from './limit-change.ts';
import { loadRepricerRules } from './rule-store.ts';

/**
 * T26: requires a confirmation if the rules after the change (`after`) would move limits of many own offers. @throws 409
 * limits_confirm with the numbers; 409 restoring if good prices are being restored and no rule would supply their limits any more
 */
export async function confirmLimits(
  deps: SimulateDeps,
  ref: CatalogueRef,
  after: (rules: readonly RepricerRule[]) => readonly RepricerRule[],
  confirmation: Confirmation,
): Promise<void> {
  const { rules, restoring, many } = await deps.database.company(ref.company, async (trx) => ({
    rules: (await loadRepricerRules(trx, ref)).rules,
    restoring: (await openRestore(trx, ref)) !== undefined,
    many: await hasManyOffers(trx, ref),
  }));
  const next = after(rules);
  if (restoring && !next.some(isComplete)) throw restoreNeedsRule();
  if (!many) return;
  const question = limitsQuestion(rules, next);
  if (question === undefined) return;
  const found: LimitChange[] = [];
  const concerned = await countOrConfirm(confirmation, 'Das kann Preisgrenzen ändern.', async (signal) => {
    const change = await limitChange(deps, ref, question, signal);
    found.push(change);
    return change.concerned;
  });
  const [change] = found;
  if (change !== undefined && concerned > ASKED_ABOVE)
    requireConfirmed(confirmation, await changeText(deps, ref, change), concerned);
}

const restoreNeedsRule = () =>
  new KontorError(
    409,
    'restoring',
    'In diesem Katalog werden die letzten guten Preise zurückgestellt, innerhalb der Preisgrenzen Ihrer Regeln. Danach wäre keine Regel mehr vollständig, und kein weiterer Preis käme zurück. Es wurde nichts geändert. Bitte beenden Sie zuerst das Wiederherstellen, oder pausieren Sie die Regel nur.',
  );

/** Returns how limits would move, with the confirmation text of their save: a user who has read it is not asked again. */
export async function askedLimitChange(
  deps: SimulateDeps,
  ref: CatalogueRef,
  question: LimitsQuestion,
  signal: AbortSignal,
): Promise<AskedLimitChange> {
  const change = await limitChange(deps, ref, question, signal);
  const isAsked = change.concerned > ASKED_ABOVE;
  return { ...change, question: isAsked ? questionText(await changeText(deps, ref, change)) : '' };
}

const limitNames = ['min', 'max', 'standard'] as const;

/** Returns the currency of the steepest fall. */
function currencyOf({ database }: SimulateDeps, { company, masterid }: CatalogueRef, { steepest }: LimitChange) {
  return database.company(company, async (trx) => {
    if (steepest === null) return undefined;
    const { item, marketplace } = steepest;
    const [listing] = await listingsOf(trx, { company, masterid }, marketplace, [item]);
    return listing?.currency;
  });
}

async function changeText(deps: SimulateDeps, ref: CatalogueRef, change: LimitChange): Promise<string> {
  const { concerned, steepest } = change;
  const currency = await currencyOf(deps, ref, change);
  const moves = limitNames.flatMap((limit) => {
    const words = movesText(change[limit]);
    return words === '' ? [] : [`der ${limitWords[limit]} ${words}`];
  });
  const example =
    steepest === null
      ? ''
      : ` Am stärksten fällt der Mindestpreis bei Artikel „${steepest.item}“: von ${moneyText(steepest.from_cents, currency)} auf ${moneyText(steepest.to_cents, currency)}.`;
  return `Damit verschieben sich die Preisgrenzen von ${integerText(concerned)} Ihrer Angebote: ${moves.join('; ')}.${example}`;
}

function movesText({ up, down, halved, come, gone }: LimitMoves): string {
  const fall = halved === 0 ? '' : `, davon bei ${integerText(halved)} auf weniger als die Hälfte`;
  const parts = [
    [up, 'steigt bei', ''],
    [down, 'sinkt bei', fall],
    [come, 'kommt hinzu bei', ''],
    [gone, 'fällt weg bei', ''],
  ] as const;
  return parts
    .flatMap(([count, verb, more]) => (count === 0 ? [] : [`${verb} ${integerText(count)}${more}`]))
    .join(', ');
}
