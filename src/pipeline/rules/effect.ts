import { countRules } from '#engine/rule-counts.ts';
import { countEffect, effectItems } from '#engine/rule-effect.ts';
import type { Places } from '#items/places.ts';
import type { Duck } from '#platform/duck.ts';
import type { RuleEffect } from '#shared/rule-effect.ts';
import type { Rule } from '#shared/rules.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './asked-rules.ts';
import { effectReason } from './reason.ts';
import { titleField } from './title-field.ts';

/** Items of the answer. */
const SAMPLES = 10;

/**
 * What the rule at `place` does to the whole catalogue, on the rules as they were sent. A paused rule is computed as if it
 * were active.
 */
export async function ruleEffect(
  { duck, places }: { duck: Duck; places: Places },
  state: RuleState,
  { rules, place }: { rules: readonly Rule[]; place: number },
  signal?: AbortSignal,
): Promise<RuleEffect> {
  const items = itemsOf(places, state.snapshot);
  const compiled = rulesInOrder(state.above, rules, place);
  const id = ownId(place);
  const asked = countEffect(items, compiled, id, { sample: SAMPLES });
  const [row = {}] = await duck.all(asked.statement, signal);
  const counted = asked.read(row);
  const chosen = [...counted.changed, ...counted.same].slice(0, SAMPLES);
  const shown = effectItems(items, compiled, id, { rows: chosen, title: titleField(state.fields) });
  const samples = chosen.length === 0 ? [] : shown.read(await duck.all(shown.statement, signal));
  const rule = rules[place];
  if (!rule) throw new Error(`No rule at ${place}`);
  const { pre, post, diff, held, unchanged, conditions } = counted;
  return {
    count: { pre, post, diff },
    held,
    unchanged,
    conditions: [...conditions],
    samples: samples.map(({ id, title, excluded, fields }) => ({ id, title, excluded, fields: [...fields] })),
    reason: await effectReason({
      rule,
      counted,
      before: [...state.above, ...rules.slice(0, place)].filter(({ active }) => active),
      fieldNames: state.snapshot.fields.map(({ name }) => name),
      emptiedBy: async () => {
        const before = rulesInOrder(state.above, rules.slice(0, place));
        const counts = countRules(items, before);
        const [found = {}] = await duck.all(counts.statement, signal);
        const at = counts.read(found).findIndex(({ post }) => post === 0);
        return [...state.above, ...rules.slice(0, place)].filter(({ active }) => active)[at];
      },
    }),
  };
}
