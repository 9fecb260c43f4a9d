import { isWorkbook, sheetsLeftText } from '#shared/workbook/workbook.ts';
import { readTextFile } from '#client/ui/form/read-text-file.ts';
import { uploadWorkbook } from './upload.ts';

/** Files that `readTableFile` can read, as an `accept` of a file input. */
export const tableFiles = '.csv,.txt,.tsv,.xlsx,.xls,.ods,text/csv,text/plain';

/**
 * Returns the table in a chosen file as CSV; of a workbook the largest sheet, with a note if others have data too. @throws CallError
 * if it is a workbook that cannot be read
 */
export async function readTableFile(file: File): Promise<{ text: string; note: string | null }> {
  if (!isWorkbook(new Uint8Array(await file.slice(0, 4).arrayBuffer())))
    return { text: await readTextFile(file), note: null };
  const [first = { sheet: '', text: '' }, ...others] = await uploadWorkbook(file);
  const names = others.map(({ sheet }) => sheet);
  return { text: first.text, note: names.length === 0 ? null : sheetsLeftText(first.sheet, names) };
}
