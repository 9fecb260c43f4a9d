import type { CsvPlan } from './csv-read.ts';
import { warnLiteralQuotes } from './csv-read.ts';
import { CsvScanner, scanFile, type CsvScan } from './csv-scan.ts';
import { RecordLines } from './record-lines.ts';
import { holdsExcelText } from '#feed/import/reader/table/excel-texts.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import type { NamedColumn } from '#feed/import/reader/columns.ts';
import { literal, type ImportSession } from '#feed/import/reader/session.ts';
import { CountMismatch, type RowSource } from '#feed/import/reader/snapshot.ts';

const longestRecord = 1024 * 1024;

/** Whether DuckDB's own reader may read the file: nothing is left that it would have to guess. */
export function fastReadable(plan: CsvPlan): boolean {
  const { dialect, table, sample } = plan;
  const head = sample.slice(0, table.preamble + Math.max(1, table.headRows));
  const oneByte = (text: string) => text.length === 1 && text.charCodeAt(0) < 128;
  return (
    table.width >= 2 &&
    !dialect.carriageReturn &&
    !dialect.eitherReturn &&
    !plan.outerQuotes &&
    oneByte(dialect.delimiter) &&
    dialect.escape === dialect.quote &&
    (dialect.quote === '' || oneByte(dialect.quote)) &&
    head.every((record) => record.lines === 1) &&
    !sample.some(holdsExcelText)
  );
}

/** Returns the number of lines before the first data record, counted as DuckDB does: from the beginning of the file. */
function linesBeforeData(plan: CsvPlan): number {
  const { table, sample, firstLine } = plan;
  const head = sample[table.preamble + Math.max(0, table.headRows - 1)];
  if (!head) return firstLine - 1;
  return table.header ? head.line : head.line - 1;
}

/**
 * Returns the file itself as row source. While DuckDB reads it, our own scan counts its records; `stop` is called as soon as the
 * scan finds something that DuckDB reads differently from our exact reader.
 */
export function fastSource(
  run: ImportRun,
  session: ImportSession,
  source: TextSource,
  plan: CsvPlan,
  stop: () => void,
): { rows: RowSource; scan: Promise<CsvScan> } {
  const { table, dialect } = plan;
  const headRecords = table.preamble + table.headRows;
  const expected = plan.sample.slice(headRecords, headRecords + 200);
  const scan = runScan(run, source, plan, stop);
  scan.catch(stop);
  const rows: RowSource = {
    parts: [
      {
        path: source.path,
        delimiter: dialect.delimiter,
        quote: dialect.quote,
        skip: linesBeforeData(plan),
        columns: table.width,
        longest: 0,
        numbered: false,
      },
    ],
    sample: plan.sample.slice(headRecords).map((record) => record.cells.map((cell) => cell.slice(0, 200))),
    rows: async () => {
      const result = await scan;
      if (result.doubt !== undefined) throw new CountMismatch(result.doubt);
      return result.records - headRecords;
    },
    lines: () => {
      const scanner = new CsvScanner(dialect, table.width, plan.firstLine, true);
      const lines = new RecordLines(scanner, source.path, plan.start, () => run.progress.sign());
      return {
        of: (ordinals) => lines.of(ordinals.map((ordinal) => ordinal + headRecords)),
        close: () => lines.close(),
      };
    },
    verify: async (output) => {
      const ids = namedIds(run);
      await compareFirstRows(session, output, ids, expected);
      await findNoItems(session, output, ids, table);
    },
  };
  return { rows, scan };
}

function namedIds(run: ImportRun): string[] {
  return run.columns.named(run.request.knownFields).map((column: NamedColumn) => column.id);
}

async function runScan(run: ImportRun, source: TextSource, plan: CsvPlan, stop: () => void): Promise<CsvScan> {
  const scanner = new CsvScanner(plan.dialect, plan.table.width, plan.firstLine);
  let done = 0;
  const result = await scanFile(scanner, source.path, plan.start, (bytes) => {
    done += bytes;
    run.progress.rows = scanner.result.records;
    run.progress.step(done / source.size, 0.15, 0.5);
    if (scanner.result.longestRecord > longestRecord) scanner.result.doubt ??= 'long record';
    return scanner.result.doubt === undefined;
  });
  if (result.longestRecord > longestRecord) result.doubt ??= 'long record';
  if (result.doubt !== undefined) stop();
  return result;
}

async function compareFirstRows(
  session: ImportSession,
  output: string,
  ids: readonly string[],
  expected: readonly { cells: readonly string[] }[],
): Promise<void> {
  if (expected.length === 0) return;
  const rows = await session.rows(
    `SELECT ${ids.map((id) => `'=' || ${id}`).join(', ')} FROM read_parquet(${literal(output)}) LIMIT ${expected.length}`,
  );
  expected.forEach((record, row) => {
    ids.forEach((_, column) => {
      const cell = record.cells[column] ?? '';
      if ((rows[row]?.[column] ?? '=') !== `=${cell}`)
        throw new CountMismatch(`row ${row + 1}, column ${column + 1} differs`);
    });
  });
}

/**
 * Throws a CountMismatch if DuckDB took a repeated header or a row of empty cells for an item, as our own parser rejects those
 * rows. Few catalogues have an empty cell or its name in their first column: if that column has none, the others are not read.
 */
async function findNoItems(
  session: ImportSession,
  output: string,
  ids: readonly string[],
  { header, headers }: CsvPlan['table'],
): Promise<void> {
  const isEmpty = (id: string) => `(${id} IS NULL OR trim(${id}) = '')`;
  const equal = ids.slice(0, 20).flatMap((id, column) => {
    const name = headers[column] ?? '';
    const names = column === 0 ? [name, `\ufeff${name}`] : [name];
    return name === '' ? [] : [`${id} IN (${names.map(literal).join(', ')})`];
  });
  const tests = [ids.slice(0, 100).map(isEmpty), ...(header && equal.length > 1 ? [equal] : [])];
  const holds = async (test: string) => {
    const found = await session.rows(`SELECT 1 FROM read_parquet(${literal(output)}) WHERE ${test} LIMIT 1`);
    return found.length > 0;
  };
  if (!(await holds(tests.map(([first = 'true']) => first).join(' OR ')))) return;
  if (await holds(tests.map((parts) => `(${parts.join(' AND ')})`).join(' OR ')))
    throw new CountMismatch('a row that is no item');
}

/** Adds the warnings about a file that DuckDB read. */
export function reportScan(run: ImportRun, result: CsvScan): void {
  if (result.literalQuotes > 0) warnLiteralQuotes(run, result.firstLiteralQuote, result.literalQuotes);
}
