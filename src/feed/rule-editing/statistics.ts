import { integerText } from '#shared/values/integer-text.ts';
import { requestedPlace } from '#engine/duckdb/rule-batches.ts';
import { countRule } from '#engine/analysis/rule-counts.ts';
import { ruleRows } from '#engine/analysis/rule-rows.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Field } from '#shared/items/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import type { Statistics } from '#shared/rules/statistics.ts';
import { atPlace, batchTable, rowOf, type Asker } from './ask-items.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './rule-state.ts';

type RequestedRule = { data: string; rules: readonly Rule[] };
export type StatisticsInput = RequestedRule & { offset: number; limit: number };
type Deps = { duckdb: DuckDb };

/** The rule by its place, the fields that are shown, and what the items are asked on. */
function requestedRule(state: RuleState, { data, rules }: RequestedRule) {
  const { above, fields } = state;
  const index = rules.findIndex((rule) => rule.id === data);
  const id = ownId(index);
  const shown = [...fields.filter((field) => field.show === 1), ...writtenFields(rules, fields)];
  const names = shown.map((field) => field.name);
  const requested = requestedPlace(itemsOf(state), rulesInOrder(above, rules, index), id, {
    show: names,
    table: batchTable,
  });
  return { id, shown, names, requested };
}

/** All items on which the conditions of a rule hold, as they are after it, in the order of the catalogue. */
export async function* ruleItems(
  { duckdb }: Deps,
  state: RuleState,
  question: RequestedRule,
  signal?: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const { id, names, requested } = requestedRule(state, question);
  const wanted = ruleRows(requested.relation, requested.rules, id, { fields: csvFields(state, question, names) });
  const session = await duckdb.session();
  try {
    for (const statement of requested.statements) await session.all(statement, signal);
    for await (const rows of session.stream(wanted.statement, signal))
      for (const { id: item, after } of wanted.read(rows)) yield [item, ...after.map((value) => value ?? '')];
  } finally {
    session.close();
  }
}

/** The names of the columns of `ruleItems`. */
export function ruleHeader(state: RuleState, question: RequestedRule): string[] {
  const { names } = requestedRule(state, question);
  return [keyName(state), ...csvFields(state, question, names)];
}

const keyName = ({ snapshot }: RuleState): string => snapshot.key ?? 'Zeile';

/** The item number stands in front; its field stands beside it only where a rule writes it. */
function csvFields({ snapshot }: RuleState, { rules }: RequestedRule, names: readonly string[]): string[] {
  const written = rules.some(({ actions }) => actions.some(({ field }) => field === snapshot.key));
  return names.filter((name) => name !== snapshot.key || written);
}

/**
 * What a rule does to the whole catalogue, computed on the rules as they were sent (RUL-11): the counts, and a page of the
 * items on which its conditions hold, as they are after it. A paused rule is computed as if it were active.
 */
export async function ruleStatistics(
  { duckdb }: Deps,
  state: RuleState,
  question: StatisticsInput,
  signal?: AbortSignal,
): Promise<Statistics> {
  const { fields } = state;
  const { id, shown, names, requested } = requestedRule(state, question);
  const { offset, limit } = question;
  const answer = async (asker: Asker) => {
    // The first page's places come with the counts, so that it costs one pass; later pages are looked for.
    const counted = countRule(requested.relation, requested.rules, id, { sample: offset === 0 ? limit : 0 });
    const count = counted.read(await rowOf(asker, counted.statement, signal));
    const page = offset === 0 ? { rows: count.first } : { offset, limit };
    const wanted = ruleRows(requested.relation, requested.rules, id, { fields: names, ...page });
    return { count, rows: count.held === 0 ? [] : wanted.read(await asker.all(wanted.statement, signal)) };
  };
  const { count, rows } = await atPlace(duckdb, requested, answer, signal);
  const data = rows.map((row) => {
    const out: Record<string, string | null> = { _id: row.id };
    shown.forEach((field, index) => {
      out[field.id] = row.after[index] ?? null;
    });
    return out;
  });
  return {
    columns: [{ id: '_id', name: keyName(state) }, ...shown.map(({ id, name, guess }) => ({ id, name, guess }))],
    data,
    total: count.held,
    fields: [...fields],
    count: { pre: count.pre, post: count.post, diff: count.diff },
    finished: question.offset + data.length >= count.held,
    message:
      count.unchanged > 0
        ? `${integerText(count.unchanged)} Werte konnten nicht berechnet werden (keine Zahl oder Division durch 0) und blieben unverändert.`
        : '',
  };
}

/** Fields that only rules write: they have no column in the catalogue, so they get generated ids of their own. */
function writtenFields(rules: readonly Rule[], fields: readonly Field[]): Field[] {
  const known = new Set(['@ALL@', '', '_id', ...fields.map((field) => field.name)]);
  const written = new Set(
    rules.flatMap((rule) => rule.actions.map((action) => action.field)).filter((name) => !known.has(name)),
  );
  return [...written].map((name, index) => ({ id: `n${index}`, name, show: 1 as const }));
}
