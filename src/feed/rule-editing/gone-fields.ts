import { changeReads, conditionFields } from '#engine/ir/fields-of.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import type { Rule } from '#shared/rules/schema.ts';

/** A field that a rule's condition or action reads although nothing provides it; `before`: an earlier import did. */
export type GoneField = {
  readonly place: number;
  readonly field: string;
  readonly use: 'asks' | 'reads';
  readonly before: boolean;
};

/**
 * Returns fields that neither the items have nor an active rule above writes, by the index of the rules that read them. A paused
 * rule is checked, too, but provides no field. `fields`: of the live items; `earlier`: of any import.
 */
export function goneFields(
  above: readonly Rule[],
  rules: readonly Rule[],
  fields: readonly string[],
  earlier: ReadonlySet<string>,
): GoneField[] {
  const known = new Set([...fields, ITEM_ID]);
  for (const { changes } of readRules(above)) changes.forEach(({ field }) => known.add(field));
  return rules.flatMap((rule, index) => {
    const [read] = readRules([rule], rule.id);
    if (!read) return [];
    const missing = new Map<string, GoneField>();
    const want = (field: string, use: GoneField['use']) => {
      if (known.has(field) || made.has(field) || missing.has(field)) return;
      missing.set(field, { place: index, field, use, before: earlier.has(field) });
    };
    const made = new Set<string>();
    for (const field of read.conditions.flatMap(conditionFields)) want(field, 'asks');
    for (const change of read.changes) {
      // Appending to a field that never existed creates it.
      const begins = change.kind === 'append' && !earlier.has(change.field);
      for (const field of changeReads(change)) if (!begins || field !== change.field) want(field, 'reads');
      made.add(change.field);
    }
    if (rule.active) made.forEach((field) => known.add(field));
    return [...missing.values()];
  });
}
