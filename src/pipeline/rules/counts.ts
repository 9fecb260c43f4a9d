import { countRules } from '#engine/rule-counts.ts';
import type { Places } from '#items/places.ts';
import type { Duck } from '#platform/duck.ts';
import type { RuleCounts } from '#shared/rule-effect.ts';
import type { Rule } from '#shared/rules.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './asked-rules.ts';

/** The effect of every rule at its place, on the rules as they were sent; paused ones let everything pass. */
export async function ruleCounts(
  { duck, places }: { duck: Duck; places: Places },
  { snapshot, above }: RuleState,
  rules: readonly Rule[],
  signal?: AbortSignal,
): Promise<RuleCounts> {
  const asked = countRules(itemsOf(places, snapshot), rulesInOrder(above, rules));
  const [row = {}] = await duck.all(asked.statement, signal);
  const counted = asked.read(row);
  const byId = new Map(counted.map((count) => [count.ruleId, count]));
  let reaching = counted.findLast(({ ruleId }) => ruleId.startsWith('above'))?.post ?? snapshot.items;
  const counts = rules.map((rule, place) => {
    const found = byId.get(ownId(place));
    if (!found) return { ruleId: rule.id, pre: reaching, post: reaching, diff: 0, held: 0 };
    reaching = found.post;
    return { ruleId: rule.id, pre: found.pre, post: found.post, diff: found.diff, held: found.held };
  });
  return { total: snapshot.items, counts };
}
