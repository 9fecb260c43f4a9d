import fs from 'node:fs';
import path from 'node:path';
import type { DetectedFormat, ImportResult } from '#shared/import/schema.ts';
import { Columns } from './columns.ts';
import { fastReadable, fastSource, reportScan } from '#feed/import/reader/csv/csv-fast.ts';
import { planCsv, readCsv, type CsvPlan } from '#feed/import/reader/csv/csv-read.ts';
import { planPlainCsv } from '#feed/import/reader/csv/plain-csv.ts';
import { withoutWholeLineQuotes } from '#feed/import/reader/csv/whole-lines.ts';
import { describeFields } from './field-report.ts';
import type { ImportRun, TextSource } from './import-run.ts';
import { findKeyColumn, warnAboutKey, wishedKey } from './key.ts';
import { defaultLimits } from './limits.ts';
import { polled, Progress, syncFile } from './progress.ts';
import { readOther } from './read-other.ts';
import { diskError, Refusal } from './refusal.ts';
import { RejectedRows } from './rejects.ts';
import type { ImportHooks, ImportRequest } from './request.ts';
import { diskRoomOf } from '#platform/storage/disk-room.ts';
import { ImportSession } from './session.ts';
import { writeSnapshot, type RowSource, type SnapshotOutcome } from './snapshot.ts';
import { Staging } from './staging.ts';
import { textFormat } from '#feed/import/reader/text/text-format.ts';
import { beginningOf, refuseEmpty, textSource } from '#feed/import/reader/text/text-source.ts';
import { unpack, type DataFile, type Unpacked } from '#feed/import/reader/archive/unpack.ts';
import { Warnings } from './warnings.ts';

/** Reader of CSV files. For tests: `exact` never lets DuckDB read the file itself, `fast` does so whenever possible. */
export type ReadingWay = 'auto' | 'fast' | 'exact';

const fastFrom = 1024 * 1024;

type Work = {
  run: ImportRun;
  session: ImportSession | undefined;
  way: ReadingWay;
  /** Path of the file that DuckDB read differently from our own parser. */
  doubtful?: string;
};
type FileRead = { format: DetectedFormat; outcome?: SnapshotOutcome };

/** The state of a new import. */
export function startRun(request: ImportRequest, hooks: ImportHooks, folder: string, rejects: RejectedRows): ImportRun {
  const limits = { ...defaultLimits, ...request.limits };
  const columns = new Columns(limits);
  const warnings = new Warnings();
  const staging = new Staging(folder, columns, warnings);
  const progress = new Progress(
    fs.statSync(request.file).size,
    hooks,
    () => performance.now(),
    () => diskRoomOf(folder),
  );
  return {
    request,
    limits,
    folder,
    warnings,
    rejects,
    progress,
    columns,
    staging,
    rowsSeen: 0,
    onBytes: () => undefined,
  };
}

/** Opens DuckDB, once the columns are known: their number decides how much memory it may reserve. */
async function openSession(work: Work): Promise<ImportSession> {
  const { run } = work;
  const { file, output } = run.request;
  work.session?.close();
  work.session = undefined;
  const folders = [path.dirname(file), path.dirname(output)];
  work.session = await ImportSession.open(run.folder, folders, run.columns.count);
  return work.session;
}

/** Writes the Parquet file from a row source. */
async function write(run: ImportRun, session: ImportSession, rows: RowSource): Promise<SnapshotOutcome> {
  const columns = run.columns.named(run.request.knownFields);
  const chosenKey = wishedKey(run);
  const key = typeof chosenKey === 'string' ? findKeyColumn(columns, chosenKey) : chosenKey;
  const { output } = run.request;
  const job = { session, source: rows, columns, key, output, workFolder: run.folder, rejects: run.rejects };
  return polled(run.progress, session, 0.5, () => writeSnapshot(job));
}

const mayBeFast = ({ way }: Work, size: number) => way === 'fast' || (way === 'auto' && size >= fastFrom);

/**
 * Reads a CSV file that seems to be UTF-8 with DuckDB and checks the encoding in parallel, which saves one pass over the file.
 * Returns undefined when the file does not qualify or the check finds that it is not UTF-8: the caller then reads it as if this
 * had not been tried.
 */
async function tryUnseen(work: Work, file: DataFile): Promise<FileRead | undefined> {
  if (!mayBeFast(work, fs.statSync(file.path).size)) return undefined;
  const plain = planPlainCsv(work.run, file);
  const outcome = plain && (await tryFast(work, plain.source, plain.plan));
  return outcome && { outcome, format: { ...plain.plan.format, reader: 'fast' } };
}

async function tryFast(work: Work, source: TextSource, plan: CsvPlan): Promise<SnapshotOutcome | undefined> {
  const { run } = work;
  if (!mayBeFast(work, source.size) || work.doubtful === source.path || !fastReadable(plan)) return undefined;
  run.columns.forHeader(plan.table.headers);
  run.progress.phase = 'writing';
  const session = await openSession(work);
  const { rows, scan } = fastSource(run, session, source, plan, () => session.connection.interrupt());
  try {
    const outcome = await write(run, session, rows);
    reportScan(run, await scan);
    run.rowsSeen = await rows.rows();
    return outcome;
  } catch (error) {
    await scan.catch(() => undefined);
    if (error instanceof Refusal || run.rejects.rejected + run.rejects.duplicates > 0) throw error;
    work.doubtful = source.path;
    run.progress.step(0, 0, 0);
    run.progress.phase = 'reading';
    return undefined;
  }
}

function stagedRows(run: ImportRun): RowSource {
  const { staging } = run;
  return {
    parts: staging.finish(),
    rows: async () => staging.rows,
    sample: staging.sample,
    lines: () => ({
      of: async (ordinals) => ordinals.map((ordinal) => staging.lineOf(ordinal)),
      close: async () => {},
    }),
  };
}

async function readAll(
  work: Work,
  { files }: Unpacked,
): Promise<{ outcome: SnapshotOutcome; format: DetectedFormat; bytes: number }> {
  const { run } = work;
  let format: DetectedFormat | undefined;
  let bytes = 0;
  for (const file of files) {
    const size = fs.statSync(file.path).size;
    bytes += size;
    run.onBytes = run.progress.passOver(size * files.length, 0.15, 0.5);
    run.columns.beginFile();
    const read = await readFile(work, file, files.length === 1);
    if (read.outcome) return { outcome: read.outcome, format: read.format, bytes };
    format = read.format;
    if (run.columns.isApart)
      run.warnings.once(
        'zip_tables_apart',
        `„${file.name}“ hat keine Spalte mit den Tabellen davor im Archiv gemeinsam. Die Zeilen stehen untereinander, jede nur mit ihren eigenen Feldern. Falls sie zu denselben Artikeln gehören, führen Sie die Tabellen vor dem Import zusammen; falls nur eine gemeint ist, packen Sie nur diese.`,
      );
  }
  if (!format) refuseEmpty();
  run.progress.phase = 'writing';
  return { outcome: await write(run, await openSession(work), stagedRows(run)), format, bytes };
}

/** Stages the rows of a file. If it is the only file (`alone`) and DuckDB may read it itself, its snapshot is written at once. */
async function readFile(work: Work, file: DataFile, alone: boolean): Promise<FileRead> {
  const { run } = work;
  const unseen = alone ? await tryUnseen(work, file) : undefined;
  if (unseen) return unseen;
  if (file.workbook) return { format: await readOther(run, { kind: file.workbook, file }) };
  const source = await textSource(run, file);
  const kind = textFormat(beginningOf(source), file.name, run.request.options.format);
  if (kind !== 'csv') return { format: await readOther(run, { kind, source }) };
  const table = await withoutWholeLineQuotes(run, source);
  const plan = planCsv(run, table);
  const outcome = alone ? await tryFast(work, table, plan) : undefined;
  if (outcome) return { outcome, format: { ...plan.format, reader: 'fast' } };
  await readCsv(run, table, plan);
  return { format: { ...plan.format, reader: 'exact' } };
}

/** Writes the file to the disk and describes its fields. Those of a part are described together with the other parts. */
async function endOf({ run, session }: Work, outcome: SnapshotOutcome, format: DetectedFormat) {
  const { request, progress, rejects, warnings } = run;
  const columns = run.columns.named(request.knownFields);
  if (request.part === true) {
    await syncFile(progress, request.output);
    return columns.map((column) => ({ ...column, guess: 'text' as const, filled: 0, example: '' }));
  }
  const [fields] = await Promise.all([
    session
      ? polled(progress, session, 0.95, () => describeFields(session, request.output, columns, { ...format, warnings }))
      : [],
    syncFile(progress, request.output),
  ]);
  warnAboutKey(run, outcome);
  if (outcome.accepted + rejects.rejected + rejects.duplicates === 0)
    warnings.once(
      'no_items',
      'Die Datei enthält keine Artikel; sie wurde als leerer Katalog gelesen. Bitte prüfen Sie den Export, wenn Artikel darin stehen sollten.',
    );
  return fields;
}

async function importFile(work: Work): Promise<ImportResult> {
  const { run } = work;
  const { request, progress, rejects } = run;
  const size = fs.statSync(request.file).size;
  const onBytes = progress.passOver(size, 0, 0.05);
  const unpacked = await unpack({
    file: request.file,
    name: request.originalName,
    folder: run.folder,
    limits: run.limits,
    warnings: run.warnings,
    onBytes,
  });
  const { outcome, format, bytes } = await readAll(work, unpacked);
  const fields = await endOf(work, outcome, format);
  if (rejects.unlisted > 0) run.warnings.once('rejected_list_cut', rejects.unlistedText());
  progress.rows = run.rowsSeen;
  progress.step(1, 0, 1);
  progress.report();
  const hasMembers = unpacked.archive !== undefined && unpacked.archive !== 'gz';
  const members = hasMembers ? { members: unpacked.files.map((file) => file.name) } : {};
  return {
    ok: true,
    format: { ...format, ...(unpacked.archive ? { archive: unpacked.archive } : {}), ...members },
    fields,
    key: outcome.key === null ? null : (fields[outcome.key]?.name ?? null),
    keyCandidates: outcome.candidates,
    rowsIn: outcome.accepted + rejects.rejected + rejects.duplicates,
    accepted: outcome.accepted,
    rejected: rejects.rejected,
    duplicates: rejects.duplicates,
    warnings: run.warnings.list(request.part),
    bytes,
  };
}

/**
 * Imports in the calling process: for the child process and for tests. Never call it in a process that serves requests, as
 * parsing blocks. Bad files give a result with `ok: false`; machine faults and an abort are thrown.
 */
export async function importInThisProcess(
  request: ImportRequest,
  hooks: ImportHooks,
  way: ReadingWay = 'auto',
): Promise<ImportResult> {
  fs.mkdirSync(request.workFolder, { recursive: true });
  const folder = fs.mkdtempSync(path.join(request.workFolder, 'import-'));
  const rejects = new RejectedRows(request.rejectedOutput);
  const run = startRun(request, hooks, folder, rejects);
  const work: Work = { run, session: undefined, way };
  try {
    return await importFile(work);
  } catch (thrown) {
    hooks.signal?.throwIfAborted();
    fs.rmSync(request.output, { force: true });
    const error = diskError(thrown);
    if (!(error instanceof Refusal)) throw error;
    return {
      ok: false,
      code: error.code,
      message: error.message,
      ...(error.line === undefined ? {} : { line: error.line }),
    };
  } finally {
    run.staging.close();
    rejects.close();
    work.session?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
