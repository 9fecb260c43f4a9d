import { unprocessable } from '#platform/errors.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/**
 * The most parts of all rules in one request: a condition or an action counts once, on all fields once for each of them. Beyond
 * that the text of the statement alone would block other requests; merchants' lists have some hundreds of parts.
 */
export const MOST_PARTS = 3000;
/** The number of list entries that count as one condition. */
const ENTRIES = 25;

function partsOf({ querys, actions }: Rule, fields: number): number {
  const times = (field: string) => (field === ALL_FIELDS ? Math.max(1, fields) : 1);
  const conditionParts = querys.map(({ field, selecttyp, value }) => {
    const entries = selecttyp === 'multiple' ? value.split('\n').length : 1;
    return times(field) * Math.ceil(entries / ENTRIES);
  });
  const actionParts = actions.map(({ field, value }) => times(field) * Math.max(1, value.length));
  return [...conditionParts, ...actionParts].reduce((sum, one) => sum + one, 0);
}

/**
 * Counts paused rules only as the one that may be requested: others are not computed.
 * @throws 422 that names the largest rule and how to narrow it, before anything is computed
 */
export function requireWithinBudget(rules: readonly Rule[], fields: number): void {
  const sized = rules.map((rule) => ({ rule, parts: partsOf(rule, fields) }));
  const paused = sized.filter(({ rule }) => !rule.active).map(({ parts }) => parts);
  const running = sized.reduce((sum, { rule, parts }) => sum + (rule.active ? parts : 0), 0);
  const all = running + paused.reduce((most, parts) => Math.max(most, parts), 0);
  if (all <= MOST_PARTS) return;
  const [largest] = sized.toSorted((one, other) => other.parts - one.parts);
  const count = (number: number) => number.toLocaleString('de-DE');
  const name = largest?.rule.name ?? '';
  throw unprocessable(
    'question_too_large',
    `Diese Regeln sind zusammen zu groß, um sie auf einmal zu berechnen: ${count(all)} Vergleiche und Zuweisungen je Artikel, möglich sind ${count(MOST_PARTS)}. Die größte ist „${name}“ mit ${count(largest?.parts ?? 0)}. Wählen Sie bestimmte Felder statt aller Felder, oder teilen Sie Regeln mit vielen Bedingungen auf.`,
  );
}
