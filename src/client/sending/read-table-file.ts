import { isWorkbook, sheetsLeftText } from '#shared/workbook/workbook.ts';
import { readTextFile } from '#client/ui/form/read-text-file.ts';
import { uploadWorkbook } from './upload.ts';

/** Files that `readTableFile` can read, as an `accept` of a file input. */
export const tableFiles = '.csv,.txt,.tsv,.xlsx,.xls,.ods,text/csv,text/plain';

/**
 * Returns the table in a chosen file as CSV; of a workbook the largest sheet, with notes on what it hides and on other sheets with
 * data. @throws CallError if it is a workbook that cannot be read
 */
export async function readTableFile(file: File): Promise<{ text: string; notes: readonly string[] }> {
  if (!isWorkbook(new Uint8Array(await file.slice(0, 4).arrayBuffer())))
    return { text: await readTextFile(file), notes: [] };
  const { sheet, text, notes, others } = await uploadWorkbook(file);
  return { text, notes: [...(others.length === 0 ? [] : [sheetsLeftText(sheet, others)]), ...notes] };
}
