import { column, ID, inOrder, nextStep, ROW, snapshotRelation, withSteps } from '#engine/duckdb/relation.ts';
import { duck, join, name, ownNumber, ownText, statement, storedFile, type Statement } from '#platform/duckdb/sql.ts';
import { PARQUET } from '#platform/duckdb/parquet.ts';
import { wholeCatalogueKeys } from '#feed/stages/rules/stage.ts';
import { buildItems } from './build.ts';
import { demand, INDEX, KNOWN_INDEX } from './demand.ts';
import type { ExportPlan } from './export-plan.ts';

/** Rows of a snapshot, from `from` up to but excluding `to`. */
export type RowRange = { readonly from: number; readonly to: number };

/** The column of a key in the file of a pass over all items. */
const columnAt = (index: number): string => `w${index}`;

/** The keys under which items hold a plan's values that depend on all items; empty if each item can be computed alone. */
export function wholeCatalogueAsked(plan: ExportPlan): string[] {
  return [
    ...wholeCatalogueKeys(plan.masterRules, 'master'),
    ...wholeCatalogueKeys(plan.exportRules, 'export'),
    ...(demand(plan).numbered ? [KNOWN_INDEX] : []),
  ];
}

/** The statements that compute these values and write them to `target`, a row for each item that passes all rules. */
export function recordStatements(plan: ExportPlan, keys: readonly string[], target: string): Statement[] {
  const sources = keys.map((key) => (key === KNOWN_INDEX ? INDEX : key));
  const read = new Set(sources);
  const recording: ExportPlan = { ...plan, wholeCatalogue: { rules: 'recorded', keys } };
  const { statements, relation } = buildItems(recording, demand(recording, { live: read, reads: read }));
  const found = sources.map((key, index) => duck`${column(relation, key)} AS ${name(columnAt(index))}`);
  const body = duck`SELECT ${join([ROW, ...found], duck`, `)} FROM ${name(relation.from)}${inOrder(relation)}`;
  return [...statements, statement(duck`COPY (${withSteps(relation, body)}) TO ${ownText(target)} ${PARQUET}`)];
}

/** The plan for some of the items, with the values computed over all of them (`answers`: the file of `recordStatements`). */
export function planOfPart(
  plan: ExportPlan,
  { from, to }: RowRange,
  { keys, answers }: { keys: readonly string[]; answers: string },
): ExportPlan {
  const all = snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
  const within = duck`${ROW} >= ${ownNumber(from)} AND ${ROW} < ${ownNumber(to)}`;
  const some = nextStep(all, duck`SELECT * FROM ${name(all.from)} WHERE ${within}`, all.columns);
  if (keys.length === 0) return { ...plan, items: some };
  const known = keys.map((_, index) => name(columnAt(index)));
  const found = duck`(SELECT ${join([duck`${ROW} AS ${name('of_row')}`, ...known], duck`, `)} FROM read_parquet(${storedFile(answers)}) WHERE ${within})`;
  const own = [...new Set(some.columns.values())].map(name);
  const list = join([ID, ROW, ...own, ...known], duck`, `);
  // An item without answers was excluded, perhaps by a rule that uses these values: it does not reach the end in any part.
  const body = duck`SELECT ${list} FROM ${name(some.from)} JOIN ${found} ON ${name('of_row')} = ${ROW}`;
  const columns = new Map([...some.columns, ...keys.map((key, index) => [key, columnAt(index)] as const)]);
  return {
    ...plan,
    items: nextStep(some, body, columns, { shuffled: true }),
    wholeCatalogue: { rules: 'answered', keys },
  };
}
