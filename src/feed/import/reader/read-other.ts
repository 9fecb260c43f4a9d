import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun, TextSource } from './import-run.ts';
import { readHtmlTable } from '#feed/import/reader/table/html-table.ts';
import { readJson, readJsonLines } from '#feed/import/reader/json/json-read.ts';
import type { DataFile } from '#feed/import/reader/archive/unpack.ts';
import { readOds } from '#feed/import/reader/ods/ods-read.ts';
import { readXls } from '#feed/import/reader/xls/xls-read.ts';
import { readXlsx } from '#feed/import/reader/xlsx/xlsx-read.ts';
import { readXml } from '#feed/import/reader/xml/xml-read.ts';

export type OtherFile =
  | { kind: 'xlsx' | 'ods' | 'xls'; file: DataFile }
  | { kind: 'json' | 'jsonl' | 'xml' | 'html'; source: TextSource };

/** Reads any format but CSV: the reader adds its rows to the staging and returns the detected format. */
export function readOther(run: ImportRun, other: OtherFile): Promise<DetectedFormat> {
  switch (other.kind) {
    case 'xlsx':
      return readXlsx(run, other.file);
    case 'ods':
      return readOds(run, other.file);
    case 'xls':
      return readXls(run, other.file);
    case 'json':
      return readJson(run, other.source);
    case 'jsonl':
      return readJsonLines(run, other.source);
    case 'xml':
      return readXml(run, other.source);
    case 'html':
      return readHtmlTable(run, other.source);
  }
}
