import { countRule } from '#engine/rule-counts.ts';
import { ruleRows } from '#engine/rule-rows.ts';
import type { Places } from '#items/places.ts';
import type { Duck } from '#platform/duck.ts';
import type { Field } from '#shared/items.ts';
import type { Rule } from '#shared/rules.ts';
import type { Statistics } from '#shared/rule-statistics.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './asked-rules.ts';

export type Question = { data: string; rules: readonly Rule[]; offset: number; limit: number };

/**
 * What a rule does to the whole catalogue, computed on the rules as they were sent (RUL-11): the counts, and a page of the
 * items on which its conditions hold, as they are after it. A paused rule is computed as if it were active.
 */
export async function ruleStatistics(
  { duck, places }: { duck: Duck; places: Places },
  { snapshot, above, fields }: RuleState,
  question: Question,
  signal?: AbortSignal,
): Promise<Statistics> {
  const items = itemsOf(places, snapshot);
  const place = question.rules.findIndex((rule) => rule.id === question.data);
  const rules = rulesInOrder(above, question.rules, place);
  // The first page's places come with the counts, so that it costs one pass; later pages are looked for.
  const counted = countRule(items, rules, ownId(place), { sample: question.offset === 0 ? question.limit : 0 });
  const [counts] = await duck.all(counted.statement, signal);
  const count = counted.read(counts ?? {});

  const shown = [...fields.filter((field) => field.show === 1), ...writtenFields(question.rules, fields)];
  const page = question.offset === 0 ? { rows: count.first } : { offset: question.offset, limit: question.limit };
  const asked = ruleRows(items, rules, ownId(place), { fields: shown.map((field) => field.name), ...page });
  const rows = count.held === 0 ? [] : asked.read(await duck.all(asked.statement, signal));
  const data = rows.map((row) => {
    const out: Record<string, string | null> = { _id: row.id };
    shown.forEach((field, index) => {
      out[field.id] = row.after[index] ?? null;
    });
    return out;
  });
  return {
    columns: [
      { id: '_id', name: snapshot.key ?? 'Zeile' },
      ...shown.map(({ id, name, guess }) => ({ id, name, guess })),
    ],
    data,
    total: count.held,
    fields: [...fields],
    count: { pre: count.pre, post: count.post, diff: count.diff },
    finished: question.offset + data.length >= count.held,
    message:
      count.unchanged > 0
        ? `${count.unchanged} Werte konnten nicht berechnet werden (keine Zahl oder Division durch 0) und blieben unverändert.`
        : '',
  };
}

/** Fields that only rules write: they have no column in the catalogue, so they get generated ids of their own. */
function writtenFields(rules: readonly Rule[], fields: readonly Field[]): Field[] {
  const known = new Set(['@ALL@', '', '_id', ...fields.map((field) => field.name)]);
  const fresh = new Set(
    rules.flatMap((rule) => rule.actions.map((action) => action.field)).filter((name) => !known.has(name)),
  );
  return [...fresh].map((name, index) => ({ id: `n${index}`, name, show: 1 as const }));
}
