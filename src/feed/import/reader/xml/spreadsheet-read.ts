import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { FirstRows } from '#feed/import/reader/table/first-rows.ts';
import { Warnings } from '#feed/import/reader/warnings.ts';
import { refuseEmptySheets, sheetsToRead, warnOfBareSheet, warnOfSheetsLeft } from '#feed/import/reader/xlsx/sheets.ts';
import { SpreadsheetPart } from './spreadsheet-part.ts';
import { XmlEvents } from './xml-events.ts';
import { feedFile } from './xml-file.ts';

const namespace = 'urn:schemas-microsoft-com:office:spreadsheet';

/** Whether a document is what Excel calls an XML spreadsheet of 2003. */
export function isSpreadsheet(root: string, attributes: Readonly<Record<string, string>>): boolean {
  return /^(?:[\w-]+:)?Workbook$/u.test(root) && Object.values(attributes).includes(namespace);
}

/** Twice through the file: whether a sheet is hidden stands behind its rows. */
export async function readSpreadsheet(run: ImportRun, source: TextSource): Promise<DetectedFormat> {
  const { sheets } = await readSheets(
    run,
    source,
    () => undefined,
    new Warnings(),
    () => run.progress.beat(),
  );
  const filled = sheetsToRead(run, sheets).filter(({ rows }) => rows > 0);
  // One row alone is a title, or a header without items.
  const sheet = filled.find(({ rows }) => rows > 1) ?? filled[0];
  if (!sheet) refuseEmptySheets(sheets);
  if (filled[0] && filled[0] !== sheet) warnOfBareSheet(run.warnings, filled[0].name, sheet.name);
  warnOfSheetsLeft(
    run.warnings,
    sheet.name,
    filled.slice(filled.indexOf(sheet) + 1).map(({ name }) => name),
  );
  const chosen = sheets.indexOf(sheet);
  const rows = new FirstRows(run, { skipLines: run.request.options.skipLines });
  const add = (at: number, cells: string[], row: number) => {
    if (at === chosen) rows.add(cells, row);
  };
  await readSheets(run, source, add, run.warnings, run.onBytes);
  rows.settle();
  run.warnings.once(
    'spreadsheet_xml',
    'Die Datei ist eine XML-Kalkulationstabelle (Excel 2003) und wurde wie eine Excel-Datei gelesen.',
  );
  const preamble = rows.plan?.preamble ?? 0;
  return {
    format: 'xlsx',
    encoding: source.encoding,
    sheet: sheet.name,
    sheets: sheets.map(({ name }) => name),
    header: rows.plan?.header ?? true,
    ...(preamble > 0 ? { preamble } : {}),
  };
}

async function readSheets(
  run: ImportRun,
  source: TextSource,
  onRow: ConstructorParameters<typeof SpreadsheetPart>[1],
  warnings: Warnings,
  onBytes: (bytes: number) => void,
): Promise<SpreadsheetPart> {
  const part = new SpreadsheetPart(run.limits, onRow);
  await feedFile(new XmlEvents(part, run.limits, warnings), source, source.size - source.start, onBytes);
  return part;
}
