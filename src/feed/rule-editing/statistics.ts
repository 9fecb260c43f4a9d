import { askedPlace } from '#engine/duckdb/rule-batches.ts';
import { countRule } from '#engine/analysis/rule-counts.ts';
import { ruleRows } from '#engine/analysis/rule-rows.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Field } from '#shared/items/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import type { Statistics } from '#shared/rules/statistics.ts';
import { atPlace, batchTable, rowOf, type Asker } from './ask-items.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './rule-request.ts';

export type StatisticsInput = { data: string; rules: readonly Rule[]; offset: number; limit: number };

/**
 * What a rule does to the whole catalogue, computed on the rules as they were sent (RUL-11): the counts, and a page of the
 * items on which its conditions hold, as they are after it. A paused rule is computed as if it were active.
 */
export async function ruleStatistics(
  { duckdb, storagePaths }: { duckdb: DuckDb; storagePaths: StoragePaths },
  state: RuleState,
  question: StatisticsInput,
  signal?: AbortSignal,
): Promise<Statistics> {
  const { snapshot, above, fields } = state;
  const place = question.rules.findIndex((rule) => rule.id === question.data);
  const id = ownId(place);
  const shown = [...fields.filter((field) => field.show === 1), ...writtenFields(question.rules, fields)];
  const names = shown.map((field) => field.name);
  const asked = askedPlace(itemsOf(storagePaths, state), rulesInOrder(above, question.rules, place), id, {
    show: names,
    table: batchTable,
  });
  const { offset, limit } = question;
  const answer = async (asker: Asker) => {
    // The first page's places come with the counts, so that it costs one pass; later pages are looked for.
    const counted = countRule(asked.relation, asked.rules, id, { sample: offset === 0 ? limit : 0 });
    const count = counted.read(await rowOf(asker, counted.statement, signal));
    const page = offset === 0 ? { rows: count.first } : { offset, limit };
    const wanted = ruleRows(asked.relation, asked.rules, id, { fields: names, ...page });
    return { count, rows: count.held === 0 ? [] : wanted.read(await asker.all(wanted.statement, signal)) };
  };
  const { count, rows } = await atPlace(duckdb, asked, answer, signal);
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
