import type { DuckDb, Statement } from '#platform/duckdb/duckdb.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { titleField } from '#catalogue/titles/title-field.ts';
import type { TransferSelection, TransferSource } from '#catalogue/transfer-results.ts';
import { KontorError } from '#platform/errors.ts';
import { join, name, ownNumber, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import {
  MAX_REASONS,
  transferStates,
  type TransferProblem,
  type TransferReason,
  type TransferRow,
  type TransferSum,
  type TransferView,
} from '#shared/transfer/schema.ts';
import { itemsOf } from '#feed/diagnosis/diagnosis.ts';
import { fixOf } from '#feed/diagnosis/fix.ts';
import type { LoadedDiagnosis, PastDiagnosis } from '#feed/diagnosis/load.ts';
import { bitsIn, hasError, hasProblem } from '#feed/stages/validation/counts.ts';
import { wordsOf } from '#feed/stages/validation/problem.ts';
import type { DiagnosisRecord, FoundProblem } from '#feed/stages/validation/record.ts';

type Loaded = LoadedDiagnosis & { readonly past: PastDiagnosis };
type Judged = Pick<DiagnosisRecord, 'ending' | 'masks' | 'extras' | 'problems' | 'readiness'>;

/**
 * TRA for channels that fetch or receive a file: they report nothing, so the items of the published file are judged by the
 * findings of its run. Items with errors count as refused, whether they were exported or omitted.
 */
export async function fileTransfer(
  files: { duckdb: DuckDb; storagePaths: StoragePaths },
  loaded: Loaded,
): Promise<TransferSource> {
  const { past, channel } = loaded;
  const judged: Judged = past.record ?? unchecked(past.output.items);
  const { items, errors } = judged.readiness;
  const totals: Record<TransferView, number> = { list: items, ready: items - errors, failure: errors };
  const path = files.storagePaths.output(loaded.export.company, loaded.export.id, past.output.number, judged.ending);
  const isStored = await files.storagePaths.store.has(path);
  const requireStored = () => {
    if (!isStored) throw fileGone();
  };
  const sum: TransferSum = {
    SEND: past.output.items,
    ACCEPTED: items - errors,
    INVALID: errors,
    source: past.record ? 'file' : 'unchecked',
    at: (past.run.finished_at ?? past.run.created_at).toISOString(),
    channel,
  };
  const rows = { files, loaded, judged };
  return {
    sum,
    totals,
    isStored,
    page: async (request, signal) => {
      requireStored();
      const found = await files.duckdb.all(pageOf(rows, request), signal);
      return found.map((row) => rowOf(row, loaded, judged));
    },
    count: async (selection, signal) => {
      requireStored();
      const { from, where } = shownItems(rows, selection);
      const [row] = await files.duckdb.all(statement(duck`SELECT count(*) AS n FROM ${from} WHERE ${where}`), signal);
      return Number(row?.['n'] ?? 0);
    },
    reasons: async () =>
      errorsIn(judged)
        .slice(0, MAX_REASONS)
        .map((problem) => reasonOf(problem, channel)),
    csv: (selection) => {
      requireStored();
      return { duckdb: files.duckdb, statement: csvOf(rows, selection) };
    },
  };
}

const unchecked = (items: number): Judged => ({
  ending: 'parquet',
  masks: 0,
  extras: [],
  problems: [],
  readiness: { items, errors: 0, warnings: 0, fine: items },
});

const fileGone = () =>
  new KontorError(
    409,
    'not_kept',
    'Die Artikel dieses Laufs werden nicht mehr aufbewahrt; nur die Zahlen sind noch da. Lassen Sie den Export neu laufen.',
  );

type Rows = { readonly files: { storagePaths: StoragePaths }; readonly loaded: Loaded; readonly judged: Judged };

/** The title's column in the run's file, whose columns are numbered in the order of the header. */
function titleOf({ past }: Loaded): Sql {
  const header = past.output.sidecars.header ?? [];
  const title = titleField(header.map((field) => ({ name: field })));
  return title === undefined ? duck`NULL` : duck`CAST(${name(`x${header.indexOf(title)}`)} AS VARCHAR)`;
}

/** The problems that refuse an item; already counted by the run, the most frequent first. */
const errorsIn = ({ problems }: Judged) => problems.filter(({ severity }) => severity === 'error');

const reasonOf = (problem: FoundProblem, channel: string): TransferReason => {
  const { key, field, items } = problem;
  return { key, field, sentence: wordsOf(problem, channel).sentence, items };
};

function shownItems(
  { files, loaded, judged }: Rows,
  { view, search, reason }: TransferSelection,
): { from: Sql; where: Sql; masks: number } {
  const { from, masks } = itemsOf(files, loaded, loaded.past, judged);
  const bad = hasError(judged.problems);
  const problem = errorsIn(judged).find(({ key }) => key === reason);
  const where = join(
    [
      view === 'list' ? duck`TRUE` : view === 'failure' ? duck`(${bad})` : duck`NOT (${bad})`,
      ...(search === '' ? [] : [duck`contains(lower(_id), lower(${search}))`]),
      // A reason from an older run that no longer occurs.
      ...(reason === '' ? [] : [problem === undefined ? duck`FALSE` : duck`(${hasProblem(problem)})`]),
    ],
    duck` AND `,
  );
  return { from, where, masks };
}

function pageOf(rows: Rows, request: TransferSelection & { offset: number; limit: number }): Statement {
  const { from, where, masks } = shownItems(rows, request);
  const columns = Array.from({ length: masks }, (_, column) => name(`_problems${column}`));
  const chosen = join([duck`_id`, duck`${titleOf(rows.loaded)} AS title`, ...columns], duck`, `);
  return statement(duck`SELECT ${chosen} FROM ${from} WHERE ${where}
    ORDER BY file_row_number LIMIT ${ownNumber(request.limit)} OFFSET ${ownNumber(request.offset)}`);
}

/** Hints are no reason to refuse an item; the diagnosis lists them. */
const reasonsOf = ({ problems }: Judged): FoundProblem[] => problems.filter(({ severity }) => severity !== 'hint');

function rowOf(row: Readonly<Record<string, unknown>>, loaded: Loaded, judged: Judged): TransferRow {
  const itemid = String(row['_id']);
  const set = new Set(bitsIn(row).map(({ column, bit }) => `${column}/${bit}`));
  const problems = reasonsOf(judged)
    .filter(({ column, bit }) => set.has(`${column}/${bit}`))
    .map((problem): TransferProblem => ({
      key: problem.key,
      severity: problem.severity,
      field: problem.field,
      sentence: wordsOf(problem, loaded.channel).sentence,
      todo: wordsOf(problem, loaded.channel).todo,
      fix: fixOf({ ...problem, sample: itemid }, loaded),
    }));
  return {
    _id: itemid,
    title: typeof row['title'] === 'string' ? row['title'] : null,
    state: problems.some(({ severity }) => severity === 'error') ? 'invalid' : 'accepted',
    message: problems.map(({ sentence }) => sentence).join(' '),
    at: null,
    problems,
  };
}

/** The statement for all items of a view as CSV, with the same words; DuckDB composes the sentences row by row while sending. */
function csvOf(rows: Rows, selection: TransferSelection): Statement {
  const { from, where } = shownItems(rows, selection);
  const { loaded, judged } = rows;
  const bad = hasError(judged.problems);
  const sentences = reasonsOf(judged).map(
    (problem) => duck`CASE WHEN ${hasProblem(problem)} THEN ${wordsOf(problem, loaded.channel).sentence} END`,
  );
  const message = sentences.length === 0 ? duck`''` : duck`concat_ws(' ', ${join(sentences, duck`, `)})`;
  const state = duck`CASE WHEN ${bad} THEN ${transferStates.invalid.label} ELSE ${transferStates.accepted.label} END`;
  return statement(
    duck`SELECT _id, ${titleOf(loaded)}, ${state}, ${message} FROM ${from} WHERE ${where} ORDER BY file_row_number`,
  );
}
