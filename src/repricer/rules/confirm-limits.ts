import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { limitsConfirm } from '#catalogue/limits-review.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import type { SimulateDeps } from '#repricer/simulation/simulate.ts';
import { ASKED_ABOVE, type LimitChange, limitsQuestion } from '#shared/repricer/before-save.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { limitChange } from './limit-change.ts';
import { loadRepricerRules } from './rule-store.ts';

/**
 * T26: asks back before the rules stand as `after` makes them of the saved ones, where that moves limits of many own offers.
 * @throws 409 limits_confirm with the numbers
 */
export async function confirmLimits(
  deps: SimulateDeps,
  ref: CatalogueRef,
  after: (rules: readonly RepricerRule[]) => readonly RepricerRule[],
  confirmation: Confirmation,
): Promise<void> {
  if (confirmation.given) return;
  const { rules } = await deps.database.company(ref.company, (trx) => loadRepricerRules(trx, ref));
  const question = limitsQuestion(rules, after(rules));
  if (question === undefined) return;
  const change = await confirmation.look((signal) => limitChange(deps, ref, question, signal));
  if (change.concerned > ASKED_ABOVE) throw limitsConfirm(changeText(change));
}

function changeText({ concerned, min, max, steepest }: LimitChange): string {
  const down = `der Mindestpreis sinkt bei ${integerText(min.down)}, davon bei ${integerText(min.halved)} auf weniger als die Hälfte`;
  const example =
    steepest === null
      ? ''
      : ` Am stärksten fällt er bei Artikel „${steepest.item}“: von ${moneyText(steepest.from_cents)} auf ${moneyText(steepest.to_cents)}.`;
  return `Damit verschieben sich die Preisgrenzen von ${integerText(concerned)} Ihrer Angebote: ${down}; der Höchstpreis ändert sich bei ${integerText(max.up + max.down)}.${example}`;
}
