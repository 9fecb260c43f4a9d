import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import type { Diagnosis, ItemProblem, ProblemItem } from '#shared/diagnosis/schema.ts';
import { fixOf } from './fix.ts';
import type { LoadedDiagnosis, PastDiagnosis } from './load.ts';
import type { ItemPlan } from '#feed/explain/past-plan.ts';
import { cellText } from '#feed/stages/output/cells.ts';
import { demand } from '#feed/plan/demand.ts';
import { build } from '#feed/plan/build.ts';
import { bitsIn, hasProblem, maskedFile, type Masked } from '#feed/stages/validation/counts.ts';
import { wordsOf } from '#feed/stages/validation/problem.ts';
import type { DiagnosisRecord, FoundProblem } from '#feed/stages/validation/record.ts';

export type DiagnosisFiles = { duckdb: DuckDb; storagePaths: StoragePaths };

/** Converts a record to the wire format; its links lead to the current construction. */
export function toDiagnosis(
  loaded: Pick<LoadedDiagnosis, 'channel' | 'construction' | 'mappings'>,
  { problems, readiness }: Pick<DiagnosisRecord, 'problems' | 'readiness'>,
): Pick<Diagnosis, 'state' | 'channel' | 'readiness' | 'problems'> {
  return {
    state: 'checked',
    channel: loaded.channel,
    readiness,
    problems: problems.map((problem) => ({
      ...problemWords(problem, loaded.channel),
      items: problem.items,
      gain: problem.gain,
      fix: fixOf(problem, loaded),
    })),
  };
}

function problemWords(problem: FoundProblem, channel: string): ItemProblem {
  const { key, severity, field, title } = problem;
  return { key, severity, field, title, ...wordsOf(problem, channel) };
}

/** The file with the problem masks of a past run. */
export function itemsOf(
  { storagePaths }: Pick<DiagnosisFiles, 'storagePaths'>,
  loaded: Pick<LoadedDiagnosis, 'export'>,
  past: Pick<PastDiagnosis, 'output'>,
  record: Pick<DiagnosisRecord, 'ending' | 'masks' | 'extras'>,
): Masked {
  const { company, id } = loaded.export;
  const pathOf = (ending: string) => storagePaths.output(company, id, past.output.number, ending);
  const extras = record.extras.map(({ ending, column }) => ({ path: pathOf(ending), column }));
  return maskedFile(pathOf(record.ending), record.masks, extras);
}

/** Values of fields as written to the file, by field name; of several columns with one name the first that has a value. */
function serialized(state: ItemPlan | undefined, fields: readonly string[]): { field: string; text: Sql }[] {
  const format = state?.settings?.format;
  if (!state || !format) return [];
  const { columns } = build(state.plan, demand(state.plan));
  return fields.flatMap((field) => {
    const texts = columns.filter((column) => column.name === field).map((column) => cellText(column, format));
    return texts.length === 0 ? [] : [{ field, text: duck`coalesce(${join(texts, duck`, `)}, NULL)` }];
  });
}

/** Returns a page of the items that had a problem in a run, in the order of the file. */
export async function problemItems(
  files: DiagnosisFiles,
  loaded: LoadedDiagnosis,
  past: PastDiagnosis,
  query: { state: ItemPlan | undefined; problem: string; offset: number; limit: number },
  signal: AbortSignal,
): Promise<ProblemItem[]> {
  const { record } = past;
  const problem = record?.problems.find(({ key }) => key === query.problem);
  if (!record || !problem) return [];
  const values = serialized(query.state, problem.shows);
  const chosen = join([duck`_id`, ...values.map(({ text }, index) => duck`${text} AS ${name(`v${index}`)}`)], duck`, `);
  const rows = await files.duckdb.all(
    statement(duck`SELECT ${chosen} FROM ${itemsOf(files, loaded, past, record).from} WHERE ${hasProblem(problem)}
      ORDER BY file_row_number LIMIT ${ownNumber(query.limit)} OFFSET ${ownNumber(query.offset)}`),
    signal,
  );
  return rows.map((row) => ({ id: String(row['_id']), values: valuesOf(row, values) }));
}

const valuesOf = (
  row: Readonly<Record<string, unknown>>,
  values: readonly { field: string }[],
): ProblemItem['values'] =>
  values.map(({ field }, index) => {
    const value = row[`v${index}`];
    return { field, value: typeof value === 'string' ? value : null };
  });

/** Returns all problems of one item in a run; undefined if the run did not contain the item. */
export async function problemsOfItem(
  files: DiagnosisFiles,
  loaded: LoadedDiagnosis,
  past: PastDiagnosis,
  query: { state: ItemPlan | undefined; itemid: string },
  signal: AbortSignal,
): Promise<(ItemProblem & { values: ProblemItem['values'] })[] | undefined> {
  const { record } = past;
  if (!record) return undefined;
  const fields = [...new Set(record.problems.flatMap(({ shows }) => shows))];
  const values = serialized(query.state, fields);
  const { from, masks } = itemsOf(files, loaded, past, record);
  const columns = Array.from({ length: masks }, (_, column) => name(`_problems${column}`));
  const chosen = [...columns, ...values.map(({ text }, index) => duck`${text} AS ${name(`v${index}`)}`)];
  const [row] = await files.duckdb.all(
    statement(duck`SELECT ${join([duck`_id`, ...chosen], duck`, `)} FROM ${from} WHERE _id = ${query.itemid} LIMIT 1`),
    signal,
  );
  if (!row) return undefined;
  const set = new Set(bitsIn(row).map(({ column, bit }) => `${column}/${bit}`));
  const shown = new Map(valuesOf(row, values).map((one) => [one.field, one]));
  return record.problems
    .filter(({ column, bit }) => set.has(`${column}/${bit}`))
    .map((problem) => ({
      ...problemWords(problem, loaded.channel),
      values: problem.shows.flatMap((field) => shown.get(field) ?? []),
    }));
}
