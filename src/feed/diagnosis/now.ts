import type { DuckDb, DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { ID, ROW, withSteps } from '#engine/duckdb/relation.ts';
import { join, name, ownNumber, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import type { ProblemItem } from '#shared/diagnosis/schema.ts';
import { validatedItems, type ValidatedItems } from '#feed/plan/validated-items.ts';
import { cellText } from '#feed/stages/output/cells.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { countItems, hasProblem, type Masked } from '#feed/stages/validation/counts.ts';
import { maskName, type Problem } from '#feed/stages/validation/problem.ts';
import type { DiagnosisRecord } from '#feed/stages/validation/record.ts';

/** Returns the problems that the items would have now; undefined if nothing is checked. Writes nothing. */
export async function diagnoseNow(
  duckdb: DuckDb,
  plan: ExportPlan,
  format: OutputFormat,
  signal: AbortSignal,
): Promise<Pick<DiagnosisRecord, 'problems' | 'readiness'> | undefined> {
  const items = validatedItems(plan, format);
  if (items.problems.length === 0 && items.unique.length === 0) return undefined;
  return withTable(duckdb, items, [], signal, ({ masked, problems, session }) =>
    countItems(masked, problems, (query) => session.all(query, signal)),
  );
}

/** Returns a page of the items that would have a problem now. */
export async function problemItemsNow(
  duckdb: DuckDb,
  plan: ExportPlan,
  format: OutputFormat,
  query: { problem: string; offset: number; limit: number },
  signal: AbortSignal,
): Promise<ProblemItem[]> {
  const items = validatedItems(plan, format);
  const wanted = [...items.problems, ...items.unique.map(({ problem }) => problem)].find(
    ({ key }) => key === query.problem,
  );
  if (!wanted) return [];
  const shown = wanted.shows.flatMap((field) => {
    const texts = items.columns.filter((column) => column.name === field).map((column) => cellText(column, format));
    return texts.length === 0 ? [] : [{ field, text: duck`coalesce(${join(texts, duck`, `)}, NULL)` }];
  });
  const values = shown.map(({ text }) => text);
  return withTable(duckdb, items, values, signal, async ({ masked, problems, session }) => {
    const problem = problems.find(({ key }) => key === query.problem);
    if (!problem) return [];
    const rows = await session.all(
      statement(duck`SELECT * FROM ${masked.from} WHERE ${hasProblem(problem)} ORDER BY file_row_number
        LIMIT ${ownNumber(query.limit)} OFFSET ${ownNumber(query.offset)}`),
      signal,
    );
    return rows.map((row) => ({
      id: String(row['_id']),
      values: shown.map(({ field }, index) => {
        const value = row[`v${index}`];
        return { field, value: typeof value === 'string' ? value : null };
      }),
    }));
  });
}

type Table = { masked: Masked; problems: readonly Problem[]; session: DuckDbSession };

/** Runs `work` with a temporary table of the items' numbers and problem masks, including fields that must be unique. */
async function withTable<T>(
  duckdb: DuckDb,
  { statements, relation, masks, problems, unique }: ValidatedItems,
  values: readonly Sql[],
  signal: AbortSignal,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  return duckdb.inSession(async (session) => {
    for (const first of statements) await session.all(first, signal);
    const chosen = [
      duck`${ID} AS _id`,
      duck`${ROW} AS file_row_number`,
      ...masks.map(name),
      ...unique.map(
        ({ text }, index) =>
          duck`hash(nullif(${text}, '')) AS ${name(`u${index}`)}, ${text} <> '' AS ${name(`f${index}`)}`,
      ),
      ...values.map((value, index) => duck`${value} AS ${name(`v${index}`)}`),
    ];
    const body = duck`SELECT ${join(chosen, duck`, `)} FROM ${name(relation.from)}`;
    await session.all(statement(duck`CREATE OR REPLACE TEMP TABLE checked AS ${withSteps(relation, body)}`), signal);
    const twice = unique.map(({ problem }, bit): Problem => ({ ...problem, column: masks.length, bit }));
    const bits = unique.map(
      (_, index) => duck`CASE WHEN ${name(`f${index}`)} AND ${name(`u${index}`)} IN
        (SELECT ${name(`u${index}`)} FROM checked WHERE ${name(`f${index}`)} GROUP BY 1 HAVING count(*) > 1)
        THEN ${ownNumber(2 ** index)} ELSE 0 END`,
    );
    const from =
      unique.length === 0
        ? name('checked')
        : duck`(SELECT *, CAST(${join(bits, duck` + `)} AS UBIGINT) AS ${name(maskName(masks.length))} FROM checked)`;
    const masked = { from, masks: masks.length + (unique.length === 0 ? 0 : 1) };
    return await work({ masked, problems: [...problems, ...twice], session });
  }, signal);
}
