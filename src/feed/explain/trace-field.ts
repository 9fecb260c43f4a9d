import { changeReads, conditionFields } from '#engine/ir/fields-of.ts';
import type { Change } from '#engine/ir/rules.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Rule } from '#shared/rules/schema.ts';
import type { MetRule } from './follow-rules.ts';

/** What of a list of rules has a share in some fields' values: the rules by their place, and of each the fields it wrote. */
export type Traced = {
  readonly rules: ReadonlyMap<number, ReadonlySet<string>>;
  /** The fields whose values before the rules went into those behind them. */
  readonly fields: ReadonlySet<string>;
};

/** A mapping or table that an item met: the keys it made, and what decided about them. */
type MetTable = { readonly results: readonly { readonly key: string }[]; readonly reads: readonly string[] };

/** Follows sources back through tables: those with a share by their place, and what was behind the wanted ones before. */
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

/** `through` 'values': only what values were made of; 'conditions': also what decided that they were. */
export type Trace = (wanted: ReadonlySet<string>, through: 'values' | 'conditions') => Traced;

/**
 * Follows fields back through the rules that an item met: a rule that held and wrote one of them has a share, and from
 * there on what it read matters too. A rule that would have written one of them had it held, or were it not paused, is
 * named as well: it is mostly what the asker looks for. `rules` are all rules of the list.
 */
export function ruleTrace(rules: readonly Rule[], met: readonly MetRule[]): Trace {
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

/** The changes of one rule, last to first; takes from `fields` what is overwritten and adds what is read. */
function traceChanges(changes: readonly Change[], fields: Set<string>, undone: ReadonlySet<number>): Set<string> {
  const share = new Set<string>();
  for (const [place, change] of [...changes.entries()].toReversed()) {
    if (!fields.has(change.field)) continue;
    share.add(change.field);
    if (undone.has(place)) continue;
    const reads = changeReads(change);
    // Without a value to group by, the field stays as it is.
    if (change.kind !== 'group' && !reads.includes(change.field)) fields.delete(change.field);
    reads.forEach((field) => fields.add(field));
  }
  return share;
}
