import { requestedPlace } from '#engine/duckdb/rule-batches.ts';
import { countEffect, effectItems, type EffectCount, type EffectItem } from '#engine/analysis/rule-effect.ts';
import { sourceName } from '#feed/stages/assignments/explain.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { RuleEffect } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './rule-state.ts';
import { atPlace, batchTable, rowOf } from './ask-items.ts';
import { countAll } from './counts.ts';
import type { PreviewBases, PreviewPlace } from './preview-bases.ts';
import { effectReason } from './reason.ts';
import { titleField } from '#catalogue/titles/title-field.ts';

export type EffectDeps = { duckdb: DuckDb; bases: PreviewBases };

/** The most items in the answer. */
const SAMPLES = 10;

/**
 * Computes what the rule at `index` does to the whole catalogue, for the rules as sent. A paused rule is computed as if it were
 * active.
 */
export async function ruleEffect(
  deps: EffectDeps,
  state: RuleState,
  { rules, index }: { rules: readonly Rule[]; index: number },
  signal?: AbortSignal,
): Promise<RuleEffect> {
  const rule = rules[index];
  if (!rule) throw new Error(`No rule at ${index}`);
  const { counted, items } = await countAndShow(deps, state, { rules, index }, signal);
  const { pre, post, diff, held, unchanged, conditions } = counted;
  const above = [...state.above, ...rules.slice(0, index)].filter(({ active }) => active);
  return {
    count: { pre, post, diff },
    held,
    unchanged,
    conditions: [...conditions],
    samples: items.map(({ id, title, excluded, fields }) => ({
      id,
      title,
      excluded,
      fields: fields.map((change) => ({ ...change, field: sourceName(change.field) })),
    })),
    reason: await effectReason({
      rule,
      counted,
      before: above,
      fieldNames: state.snapshot.fields.map(({ name }) => name),
      items: state.snapshot.items,
      emptiedBy: async () => {
        const counts = await countAll(deps, state, rulesInOrder(state.above, rules.slice(0, index)), signal);
        return above[counts.findIndex(({ pre, post }) => pre > 0 && post === 0)];
      },
    }),
  };
}

type Found = { readonly counted: EffectCount; readonly items: readonly EffectItem[] };

/**
 * Returns the counts, and the items at the row numbers in them: these rows are read alone, so that the catalogue is read once.
 * After rules that affect the result, both come from the items stored before this rule.
 */
async function countAndShow(
  { duckdb, bases }: EffectDeps,
  state: RuleState,
  { rules, index }: { rules: readonly Rule[]; index: number },
  signal: AbortSignal | undefined,
): Promise<Found> {
  const title = titleField(state.fields);
  const id = ownId(index);
  const show = title === undefined ? [] : [title];
  const items = itemsOf(state);
  const running = rulesInOrder(state.above, rules, index);
  const upTo = running.slice(0, running.findIndex((rule) => rule.id === id) + 1);
  const { company, masterid, number } = state.snapshot;
  const question = {
    owner: `${company}/${masterid}/${number}/${state.mapped?.key ?? ''}`,
    scope: `${company}/${state.scope.name}`,
    items,
    rules: upTo,
    show,
  };
  const work = async ({ asker, relation, rules }: PreviewPlace): Promise<Found> => {
    const count = countEffect(relation, rules, id, { sample: SAMPLES });
    const counted = count.read(await rowOf(asker, count.statement, signal));
    const rows = [...counted.changed, ...counted.same].slice(0, SAMPLES);
    if (rows.length === 0) return { counted, items: [] };
    const shown = effectItems(relation, rules, id, { rows, title });
    return { counted, items: shown.read(await asker.all(shown.statement, signal)) };
  };
  const cached = await bases.ask(question, work, signal);
  if (cached) return cached;
  const requested = requestedPlace(items, running, id, { show, table: batchTable });
  return atPlace(
    duckdb,
    requested,
    (runner) => work({ asker: runner, relation: requested.relation, rules: requested.rules }),
    signal,
  );
}
