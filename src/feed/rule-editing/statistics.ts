import { countRule } from '#engine/analysis/rule-counts.ts';
import { ruleRows } from '#engine/analysis/rule-rows.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { uncalculatedSentence } from '#shared/rules/sentences.ts';
import type { Statistics } from '#shared/rules/statistics.ts';
import { atPlace, rowOf, type StatementRunner } from './ask-items.ts';
import { keyName, requestedRule, type RequestedRule } from './rule-items.ts';
import type { RuleState } from './rule-state.ts';

export type StatisticsInput = RequestedRule & { offset: number; limit: number };
type Deps = { duckdb: DuckDb };

/**
 * Computes what a rule does to the whole catalogue, for the rules as sent (RUL-11): the counts, and a page of the items on which
 * its conditions hold, as they are after it. A paused rule is computed as if it were active.
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
  const chosen = question.rules.find((rule) => rule.id === question.data);
  const answer = async (runner: StatementRunner) => {
    // The counts include the row numbers of the first page, which therefore takes one pass; later pages are searched.
    const counted = countRule(requested.relation, requested.rules, id, { sample: offset === 0 ? limit : 0 });
    const count = counted.read(await rowOf(runner, counted.statement, signal));
    const page = offset === 0 ? { rows: count.first } : { offset, limit };
    const wanted = ruleRows(requested.relation, requested.rules, id, { fields: names, ...page });
    return { count, rows: count.held === 0 ? [] : wanted.read(await runner.all(wanted.statement, signal)) };
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
    message: chosen && count.unchanged > 0 ? uncalculatedSentence(chosen, count.unchanged) : '',
  };
}
