import { ruleRows } from '#engine/analysis/rule-rows.ts';
import { requestedPlace } from '#engine/duckdb/rule-batches.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Field } from '#shared/items/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { batchTable } from './ask-items.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './rule-state.ts';

export type RequestedRule = { data: string; rules: readonly Rule[] };
type Deps = { duckdb: DuckDb };

/** Prepares a request: the rule by index, the fields that are shown, and the items to query. */
export function requestedRule(state: RuleState, { data, rules }: RequestedRule) {
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

/** Yields all items on which the conditions of a rule hold, as they are after it, in the order of the catalogue. */
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

/** The column names of `ruleItems`. */
export function ruleHeader(state: RuleState, question: RequestedRule): string[] {
  const { names } = requestedRule(state, question);
  return [keyName(state), ...csvFields(state, question, names)];
}

export const keyName = ({ snapshot }: RuleState): string => snapshot.key ?? 'Zeile';

/** The item number is the first column; its field is listed again only if a rule writes it. */
function csvFields({ snapshot }: RuleState, { rules }: RequestedRule, names: readonly string[]): string[] {
  const written = rules.some(({ actions }) => actions.some(({ field }) => field === snapshot.key));
  return names.filter((name) => name !== snapshot.key || written);
}

/** Fields that only rules write: they have no column in the catalogue, so they get generated ids of their own. */
function writtenFields(rules: readonly Rule[], fields: readonly Field[]): Field[] {
  const known = new Set(['@ALL@', '', '_id', ...fields.map((field) => field.name)]);
  const written = new Set(
    rules.flatMap((rule) => rule.actions.map((action) => action.field)).filter((name) => !known.has(name)),
  );
  return [...written].map((name, index) => ({ id: `n${index}`, name, show: 1 as const }));
}
