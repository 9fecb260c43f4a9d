import type { ImportRun } from '#feed/import/reader/import-run.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';

type Sheet = { name: string; visible: boolean };

function sheetNames(sheets: readonly Pick<Sheet, 'name'>[]): string {
  return sheets
    .slice(0, 20)
    .map((sheet) => `„${sheet.name}“`)
    .join(', ');
}

/** Returns the sheets to try, in order: the chosen one, or the visible ones (all if none is visible). */
export function sheetsToRead<T extends Sheet>(run: ImportRun, sheets: readonly T[]): T[] {
  const { sheet } = run.request.options;
  if (sheet === undefined) {
    const visible = sheets.filter((entry) => entry.visible);
    return visible.length > 0 ? visible : [...sheets];
  }
  const byName =
    sheets.find((entry) => entry.name === sheet) ??
    sheets.find((entry) => entry.name.trim().toLowerCase() === String(sheet).trim().toLowerCase());
  const found = byName ?? sheets[Number(sheet) - 1];
  if (found) return [found];
  throw new Refusal(
    'sheet_missing',
    `Das Tabellenblatt „${sheet}“ gibt es nicht. Es wurde nichts importiert. Vorhandene Blätter: ${sheetNames(sheets)}.`,
  );
}

/** Warns that a sheet without items, such as a cover sheet, was skipped. */
export function warnOfBareSheet(warnings: Warnings, bare: string, read: string): void {
  warnings.once(
    'sheet_without_items',
    `Das Tabellenblatt „${bare}“ enthält keine Artikel. Gelesen wurde deshalb „${read}“. Falls ein anderes gemeint ist, nennen Sie es in den Einstellungen.`,
  );
}

/** Warns that further sheets after the one that was read have cells. */
export function warnOfSheetsLeft(warnings: Warnings, read: string, left: readonly string[]): void {
  if (left.length === 0) return;
  warnings.once(
    'sheets_left',
    `Gelesen wurde nur das Tabellenblatt „${read}“. Daten stehen auch in: ${sheetNames(left.map((name) => ({ name })))}. Falls auch dort Artikel stehen, importieren Sie diese Blätter einzeln oder führen Sie sie in Excel zusammen.`,
  );
}

/** Refuses a workbook without rows in any sheet to read. */
export function refuseEmptySheets(sheets: readonly Sheet[]): never {
  throw new Refusal(
    'empty',
    `Kein Tabellenblatt der Datei enthält Daten. Es wurde nichts importiert. Blätter: ${sheetNames(sheets) || 'keine'}.`,
  );
}
