import fs from 'node:fs';
import { readHead, type DataFile } from '#feed/import/reader/archive/unpack.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { looksBinary } from '#feed/import/reader/signature.ts';
import { byteOrderMark, wideEncoding } from '#platform/text/text-bytes.ts';
import { toUtf8 } from './to-utf8.ts';

/** Returns a file's text as UTF-8 after checking all of its bytes. @throws Refusal if it is binary or empty */
export async function textSource(run: ImportRun, file: DataFile): Promise<TextSource> {
  const head = readHead(file.path);
  const size = fs.statSync(file.path).size;
  const { encoding: chosen } = run.request.options;
  const wide = byteOrderMark(head) ?? wideEncoding(head);
  if (size > 0 && !wide && chosen === undefined && looksBinary(head)) {
    throw new Refusal(
      'binary',
      'Die Datei enthält keine lesbaren Texte, sondern Binärdaten. Es wurde nichts importiert. Bitte liefern Sie CSV, JSON, XML, Excel (.xlsx, .xls) oder OpenDocument (.ods).',
    );
  }
  const source = await toUtf8({
    file: file.path,
    head,
    folder: run.folder,
    chosen,
    contentType: run.request.contentType,
    warnings: run.warnings,
    onBytes: run.progress.passOver(size * 2, 0.05, 0.15),
  });
  if (source.size - source.start <= 0) refuseEmpty();
  return { ...source, name: file.name };
}

export function refuseEmpty(): never {
  throw new Refusal(
    'empty',
    'Die Datei ist leer. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte prüfen Sie den Export Ihres Systems.',
  );
}

/** Returns the first characters after a byte order mark. */
export const beginningOf = ({ path, start }: TextSource): string =>
  readHead(path, start + 65_536)
    .subarray(start)
    .toString('utf8');
