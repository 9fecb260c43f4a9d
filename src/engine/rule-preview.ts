import type { Statement } from '#platform/sql.ts';
import { compileRules } from './compile-rules.ts';
import { fieldsOf } from './fields-of.ts';
import type { Rule } from './ir.ts';
import { keepStatement, type Relation } from './relation.ts';

/** What a keystroke in a rule's editor needs: the items as the rule finds them, kept, and the rule alone. */
export type PreviewBase = {
  readonly statement: Statement;
  /** Reads the table that the statement makes; on the same connection. */
  readonly relation: Relation;
  /** For `countRule` and `ruleRows` over that relation. */
  readonly rules: readonly Rule[];
};

/**
 * The items that reach a rule, in a temporary table with the fields that it reads or writes and those to be shown. Made
 * once an editing, it spares every further question the rules above: 50 of those cost seconds on a million items.
 * Make it again when the rules above, the snapshot, or the rule's fields change. `table` is a generated name.
 */
export function previewBase(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
  { table, show }: { table: string; show: Iterable<string> },
): PreviewBase {
  const index = rules.findIndex(({ id }) => id === ruleId);
  const rule = rules[index];
  if (!rule) throw new Error(`No such rule: ${ruleId}`);
  const used = fieldsOf(rule);
  const live = used === 'all' ? 'all' : new Set([...used, ...show]);
  const before = compileRules(relation, rules.slice(0, index), { live });
  return { ...keepStatement(before, table, before.columns.keys()), rules: [rule] };
}
