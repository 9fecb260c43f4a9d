import type { DataFile } from '#feed/import/reader/archive/unpack.ts';
import { readHead } from '#feed/import/reader/archive/unpack.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { looksBinary } from '#feed/import/reader/signature.ts';
import { textFormat } from '#feed/import/reader/text/text-format.ts';
import { beginningOf } from '#feed/import/reader/text/text-source.ts';
import { assumedUtf8 } from '#feed/import/reader/text/to-utf8.ts';
import { type CsvPlan, planCsv } from './csv-read.ts';
import { hasWholeLineQuotes } from './whole-lines.ts';

/**
 * Plans the reading of a CSV file as it is, judged by its beginning: undefined if it is no CSV, packed, or seems not to be UTF-8.
 */
export function planPlainCsv(run: ImportRun, file: DataFile): { source: TextSource; plan: CsvPlan } | undefined {
  const { options, contentType } = run.request;
  if (file.workbook || options.encoding !== undefined) return undefined;
  const text = assumedUtf8(file.path, contentType);
  if (!text || looksBinary(readHead(file.path))) return undefined;
  const source = { ...text, name: file.name };
  if (textFormat(beginningOf(source), file.name, options.format) !== 'csv' || hasWholeLineQuotes(run, source))
    return undefined;
  return { source, plan: planCsv(run, source) };
}
