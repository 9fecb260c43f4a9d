import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { readSheetOf } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { SpreadsheetPart } from './spreadsheet-part.ts';
import { XmlEvents } from './xml-events.ts';
import { feedFile } from './xml-file.ts';

const namespace = 'urn:schemas-microsoft-com:office:spreadsheet';

/** Whether a document is an 'XML spreadsheet 2003' of Excel. */
export function isSpreadsheet(root: string, attributes: Readonly<Record<string, string>>): boolean {
  return /^(?:[\w-]+:)?Workbook$/u.test(root) && Object.values(attributes).includes(namespace);
}

/** Reads the file twice: whether a sheet is hidden is written after its rows. */
export async function readSpreadsheet(run: ImportRun, source: TextSource): Promise<DetectedFormat> {
  const format = await readSheetOf(run, async (onRow, warnings, onBytes) => {
    const part = new SpreadsheetPart(run.limits, onRow);
    await feedFile(new XmlEvents(part, run.limits, warnings), source, source.size - source.start, onBytes);
    return part.sheets;
  });
  run.warnings.once(
    'spreadsheet_xml',
    'Die Datei ist eine XML-Kalkulationstabelle (Excel 2003) und wurde wie eine Excel-Datei gelesen.',
  );
  return { ...format, encoding: source.encoding };
}
