import { checkRegex } from '#engine/read/regex.ts';
import type { EffectCount } from '#engine/analysis/rule-effect.ts';
import { checkRules, type RuleProblem, stopsAction } from '#shared/rules/check.ts';
import { conditionSentence, ruleName, uncalculatedWords } from '#shared/rules/sentences.ts';
import type { Condition, Rule } from '#shared/rules/schema.ts';
import { countWord, itemsWord } from './words.ts';

export type ReasonDeps = {
  readonly rule: Rule;
  readonly counted: EffectCount;
  /** Active rules that run before, the nearest last. */
  readonly before: readonly Rule[];
  readonly fieldNames: readonly string[];
  /** Number of items of the catalogue. */
  readonly items: number;
  /** Finds the rule above that excluded the last items; called only if no item reaches the rule. */
  readonly emptiedBy: () => Promise<Rule | undefined>;
};

/** Says why a rule matches nothing or changes nothing, in German; null if it has an effect. */
export async function effectReason(deps: ReasonDeps): Promise<string | null> {
  const { rule, counted } = deps;
  if (counted.diff > 0) return null;
  if (counted.pre === 0) return nothingReaches(await deps.emptiedBy(), deps.items);
  const problems = problemsOf(deps);
  return counted.held === 0 ? whyNeverHolds(rule, counted, problems) : whyNothingChanges(rule, counted, problems);
}

/** After the rules of a master whose own counts are not known. */
export const EMPTIED_BY_MASTER = 'Keine Artikel erreichen die Regel: Die Master-Regeln schließen vorher alle aus.';

function nothingReaches(by: Rule | undefined, items: number): string {
  if (!by) return items === 0 ? 'Der Katalog enthält keine Artikel.' : EMPTIED_BY_MASTER;
  return `Keine Artikel erreichen die Regel: ${ruleName(by)} schließt vorher alle aus.`;
}

/** The problems that `checkRules` finds in the rule at its position. */
function problemsOf({ rule, before, fieldNames }: ReasonDeps): RuleProblem[] {
  const list = [...before, rule].map((one, index) => ({ ...one, id: String(index) }));
  return checkRules(list, fieldNames, checkRegex).filter(({ ruleId }) => ruleId === String(before.length));
}

/** Why a condition cannot be met according to its wording; undefined if the wording is fine. */
export function conditionProblem(problems: readonly RuleProblem[], index: number): string | undefined {
  return problems.find(({ path }) => path.startsWith(`querys.${index}.`))?.message;
}

/** Says which condition fails if the rule holds on none of the items that reach it. */
export function whyNeverHolds(
  rule: Rule,
  { pre, conditions }: Pick<EffectCount, 'pre' | 'conditions'>,
  problems: readonly RuleProblem[],
): string {
  const stopping = conditions.findIndex(({ alone }) => alone === 0);
  const condition = rule.querys[stopping];
  if (condition) {
    const problem = conditionProblem(problems, stopping) ?? unfinished(condition);
    const because = problem === undefined ? '' : ` ${problem}`;
    return `${noneOf(pre)}, erfüllt: ${conditionSentence(condition)}.${because}`;
  }
  const last = conditions.findIndex(({ together }) => together === 0);
  const [one, other] = [rule.querys[last - 1], rule.querys[last]];
  if (!one || !other) return `${noneOf(pre)}, erfüllt die Bedingungen.`;
  const left = conditions[last - 1]?.together ?? 0;
  const until = last === 1 ? 'der ersten Bedingung' : `den ersten ${countWord(last)} Bedingungen`;
  return (
    'Jede Bedingung trifft allein zu, aber keine Artikel erfüllen alle zugleich: ' +
    `nach ${until} ${left === 1 ? 'bleibt' : 'bleiben'} ${itemsWord(left)}, und davon erfüllt keiner: ${conditionSentence(other)}.`
  );
}

function noneOf(pre: number): string {
  return `Keiner der ${itemsWord(pre)}, die die Regel erreichen`;
}

/** Describes a comparison that lacks a value to compare with. */
function unfinished({ value, valuetyp }: Condition): string | undefined {
  if (value !== '') return undefined;
  return valuetyp === '_field' ? 'Bitte wählen Sie ein Feld zum Vergleich.' : 'Es ist kein Wert eingetragen.';
}

function whyNothingChanges(rule: Rule, { held, unchanged }: EffectCount, problems: readonly RuleProblem[]): string {
  const hit = `Die Bedingungen treffen auf ${itemsWord(held)} zu, aber`;
  const stopping = problems.find(stopsAction);
  if (rule.actions.length === 0) return `${hit} die Regel hat keine Aktion.`;
  if (unchanged > 0) {
    return `${hit} ${countWord(unchanged)} ${unchanged === 1 ? 'Wert konnte' : 'Werte konnten'} nicht berechnet werden (${uncalculatedWords(rule)}), und alles andere ist dort schon so.`;
  }
  if (stopping) return `${hit} eine Aktion kann nicht ausgeführt werden. ${stopping.message}`;
  return `${hit} die Werte sind dort schon so.`;
}
