import type { Rule as CompiledRule } from '#engine/ir/rules.ts';
import { countRulesInBatches, type RuleCount } from '#engine/analysis/rule-counts.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { RuleCounts } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './rule-state.ts';
import { batchTable, runSteps } from './ask-items.ts';

type Deps = { duckdb: DuckDb };

/** The counts of the given compiled rules in order, however many build on each other. */
export async function countAll(
  { duckdb }: Deps,
  state: RuleState,
  rules: readonly CompiledRule[],
  signal?: AbortSignal,
): Promise<RuleCount[]> {
  const steps = countRulesInBatches(itemsOf(state), rules, { table: batchTable });
  return (await runSteps(duckdb, steps, signal)).flat();
}

/** The effect of every rule at its position, for the rules as sent; paused ones let every item pass. */
export async function ruleCounts(
  deps: Deps,
  state: RuleState,
  rules: readonly Rule[],
  signal?: AbortSignal,
): Promise<RuleCounts> {
  const counted = await countAll(deps, state, rulesInOrder(state.above, rules), signal);
  const byId = new Map(counted.map((count) => [count.ruleId, count]));
  let reaching =
    counted.findLast(({ ruleId }) => ruleId.startsWith('above'))?.post ??
    counted[0]?.pre ??
    (await reachingFirst(deps, state, rules, signal));
  const counts = rules.map((rule, index) => {
    const found = byId.get(ownId(index));
    if (!found) return { ruleId: rule.id, pre: reaching, post: reaching, diff: 0, held: 0 };
    reaching = found.post;
    return { ruleId: rule.id, pre: found.pre, post: found.post, diff: found.diff, held: found.held };
  });
  return { total: state.snapshot.items, counts };
}

/**
 * The items that reach the first of rules that are all paused. If they read results of mappings, the items have already passed the
 * master's rules, so there may be fewer than were imported.
 */
async function reachingFirst(deps: Deps, state: RuleState, rules: readonly Rule[], signal: AbortSignal | undefined) {
  if (state.mapped === undefined || rules.length === 0) return state.snapshot.items;
  const [first] = await countAll(deps, state, rulesInOrder([], rules.slice(0, 1), 0), signal);
  return first?.pre ?? state.snapshot.items;
}
