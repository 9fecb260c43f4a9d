import { changeReads, conditionFields } from '#engine/ir/fields-of.ts';
import type { Change } from '#engine/ir/rules.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Rule } from '#shared/rules/schema.ts';
import type { RuleTrace } from './follow-rules.ts';

/** The part of a list of rules that affects the values of some fields: by rule index, the fields it wrote. */
export type Traced = {
  readonly rules: ReadonlyMap<number, ReadonlySet<string>>;
  /** The fields whose values before the rules affect the wanted fields after them. */
  readonly fields: ReadonlySet<string>;
};

/** A mapping or table that an item met: the keys it produced, and the fields it read. */
type MetTable = { readonly results: readonly { readonly key: string }[]; readonly reads: readonly string[] };

/** Follows sources back through tables: indices of those with a share, and the fields before them that `wanted` depends on. */
export function traceTables(
  tables: readonly MetTable[],
  wanted: ReadonlySet<string>,
): { shares: ReadonlySet<number>; fields: ReadonlySet<string> } {
  const fields = new Set(wanted);
  const shares = new Set<number>();
  for (let index = tables.length - 1; index >= 0; index -= 1) {
    const table = tables[index];
    if (!table?.results.some(({ key }) => fields.has(key))) continue;
    shares.add(index);
    table.results.forEach(({ key }) => fields.delete(key));
    table.reads.forEach((key) => fields.add(key));
  }
  return { shares, fields };
}

/** `through` 'values': only the fields that values were made of; 'conditions': also those read by conditions. */
export type Trace = (wanted: ReadonlySet<string>, through: 'values' | 'conditions') => Traced;

/**
 * Follows fields back through the rules that an item met: a rule that held and wrote one of them has a share, and the fields it
 * read are followed, too. Rules that would have written one of them if their conditions had held, or if they were active, are
 * listed as well: users mostly look for these. `rules` are all rules of the list.
 */
export function ruleTrace(rules: readonly Rule[], met: readonly RuleTrace[]): Trace {
  const compiled = readRules(rules);
  const activeIndexes = rules.flatMap((rule, index) => (rule.active ? [index] : []));
  return (wanted, through) => {
    const fields = new Set(wanted);
    const found = new Map<number, ReadonlySet<string>>();
    for (let index = rules.length - 1; index >= 0; index -= 1) {
      const active = activeIndexes.indexOf(index);
      const [meeting, meaning] = [met[active], compiled[active]];
      if (!meeting?.held || !meaning) {
        if (rules[index]?.actions.some(({ field }) => fields.has(field)) === true) found.set(index, new Set());
        continue;
      }
      const share = traceChanges(meaning.changes, fields, meeting.undone);
      if (share.size > 0 && through === 'conditions')
        meaning.conditions.flatMap(conditionFields).forEach((field) => fields.add(field));
      if (share.size > 0 || meeting.excluded) found.set(index, share);
    }
    return { rules: found, fields };
  };
}

/** Follows the changes of one rule, last to first; removes overwritten fields from `fields` and adds those read. */
function traceChanges(changes: readonly Change[], fields: Set<string>, undone: ReadonlySet<number>): Set<string> {
  const share = new Set<string>();
  for (const [place, change] of [...changes.entries()].toReversed()) {
    if (!fields.has(change.field)) continue;
    share.add(change.field);
    if (undone.has(place)) continue;
    const reads = changeReads(change);
    // An item without a value to group by keeps the field's old value.
    if (change.kind !== 'group' && !reads.includes(change.field)) fields.delete(change.field);
    reads.forEach((field) => fields.add(field));
  }
  return share;
}
