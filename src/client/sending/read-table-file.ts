import { isWorkbook, sheetsLeftText } from '#shared/workbook/workbook.ts';
import { readTextFile } from '#client/ui/form/read-text-file.ts';
import { uploadWorkbook } from './upload.ts';

/** Files that `readTableFile` can read, as an `accept` of a file input. */
export const tableFiles = '.csv,.txt,.tsv,.xlsx,.xls,.ods,.zip,.gz,text/csv,text/plain';

/**
 * Returns the table in a chosen file as CSV; of a workbook the largest sheet, with notes on what it hides and on other sheets with
 * data. @throws CallError if it is a workbook, or packed, and cannot be read
 */
export async function readTableFile(file: File): Promise<{ text: string; notes: readonly string[] }> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isGzipped = head[0] === 0x1f && head[1] === 0x8b;
  if (!isWorkbook(head) && !isGzipped) return { text: await readTextFile(file), notes: [] };
  const { sheet, text, notes, others } = await uploadWorkbook(file);
  return { text, notes: [...(others.length === 0 ? [] : [sheetsLeftText(sheet, others)]), ...notes] };
}
