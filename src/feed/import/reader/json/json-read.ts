import { setImmediate } from 'node:timers/promises';
import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { chooseItems, notifyAbout } from './json-choice.ts';
import { JsonItems, rowCells } from './json-items.ts';
import { JsonSurvey, type JsonList } from './json-survey.ts';
import { wrapperOf } from './json-wrapper.ts';
import { JsonError, JsonText, pieceReader, type JsonValue } from './json-text.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { FirstRows } from '#feed/import/reader/table/first-rows.ts';
import { beginningOf } from '#feed/import/reader/text/text-source.ts';
import { linePieces } from '#feed/import/reader/text/text-survey.ts';
import { linesOfPiece } from '#platform/text/text-bytes.ts';

function refuseSyntax(error: unknown): never {
  if (!(error instanceof JsonError)) throw error;
  throw new Refusal(
    'json_syntax',
    `Die JSON-Datei ist fehlerhaft. ${error.message} Es wurde nichts importiert, der bisherige Stand bleibt. Bitte prüfen Sie den Export.`,
    error.line,
  );
}

/** The JSON of a file, without what stands around it; `close` when done. */
function openJson(
  run: ImportRun,
  source: TextSource,
  onBytes: (bytes: number) => void,
): { text: JsonText; close: () => void } {
  const before = wrapperOf(beginningOf(source));
  const reader = pieceReader(source.path, source.start + Buffer.byteLength(before), onBytes);
  const text = new JsonText('', run.limits, reader.more, before.split('\n').length);
  text.isWrapped = before !== '';
  if (text.isWrapped)
    run.warnings.once(
      'json_wrapped',
      `Vor den JSON-Daten steht Programmtext („${before.trim().slice(0, 50)}“). Gelesen wurden nur die Daten. Bitte liefern Sie reines JSON, wenn Ihr System es kann.`,
    );
  return { text, close: reader.close };
}

/** Reads the items of a list according to its kind. Returns the number of duplicate keys. */
async function readList(run: ImportRun, source: TextSource, list: JsonList): Promise<number> {
  const { text, close } = openJson(run, source, run.onBytes);
  const rows = new FirstRows(run, { headers: list.headers });
  try {
    for (const _ of listSteps(text, list, list.path, 0, takerOf(run, list, rows)))
      if (run.rowsSeen % 500 === 0) {
        run.progress.rows = run.rowsSeen;
        await setImmediate();
      }
    text.end();
    if (list.kind === 'rows') rows.settle();
  } finally {
    close();
  }
  return text.duplicateKeys;
}

type Taker = (item: JsonValue, line: number, key: string) => void;

function takerOf(run: ImportRun, list: JsonList, rows: FirstRows): Taker {
  const items = new JsonItems(run);
  const { kind, keyField } = list;
  if (kind !== 'rows')
    return (item, line, key) => items.add(item, line, keyField === undefined ? undefined : [keyField, key]);
  return (item, line) => {
    const cells = rowCells(item);
    if (cells) {
      if (cells.length > 0) rows.add(cells, line);
      return;
    }
    run.rowsSeen += 1;
    items.reject(item, line, 'Der Eintrag ist keine Liste von Werten.');
  };
}

type ReadList = Pick<JsonList, 'kind' | 'pages'>;

/** Walks to the list at `path` and passes each member to `take`; yields after each so that the caller can let other work run. */
function* listSteps(text: JsonText, list: ReadList, path: string, depth: number, take: Taker): Generator<void> {
  const opening = list.kind === 'keyed' || list.kind === 'single' ? '{' : '[';
  if (path === '' && text.peek() === opening) {
    yield* memberSteps(text, list, depth, take);
    return;
  }
  text.take('{', 'Hier wird { erwartet.');
  if (text.takeIf('}')) return;
  do {
    text.peek();
    const key = text.string();
    text.take(':', 'Hier wird ein Doppelpunkt erwartet.');
    const next = text.peek();
    if (path === key && next === opening) yield* memberSteps(text, list, depth + 1, take);
    else if (next === '{' && path.startsWith(`${key}.`))
      yield* listSteps(text, list, path.slice(key.length + 1), depth + 1, take);
    else text.value(depth + 1, false);
  } while (text.takeIf(','));
  text.take('}', 'Hier wird ein Komma oder } erwartet.');
}

function* memberSteps(text: JsonText, { kind, pages }: ReadList, depth: number, take: Taker): Generator<void> {
  if (kind === 'single') {
    const line = text.currentLine;
    take(text.value(depth, true), line, '');
    return;
  }
  const [opening, closing] = kind === 'keyed' ? ['{', '}'] : ['[', ']'];
  text.take(opening, `Hier wird ${opening} erwartet.`);
  if (text.takeIf(closing)) return;
  do {
    text.peek();
    const line = text.currentLine;
    const key = kind === 'keyed' ? text.string() : '';
    if (kind === 'keyed') text.take(':', 'Hier wird ein Doppelpunkt erwartet.');
    if (pages !== undefined) yield* listSteps(text, { kind: 'objects' }, pages.path, depth + 1, take);
    else take(text.value(depth + 1, true), line, key);
    yield;
  } while (text.takeIf(','));
  text.take(closing, `Hier wird ein Komma oder ${closing} erwartet.`);
}

function warnDuplicates(run: ImportRun, count: number): void {
  if (count === 0) return;
  run.warnings.count(
    'duplicate_keys',
    undefined,
    (total) => `${countText(total)} Mal steht ein Feldname doppelt in einem Eintrag; es gilt der letzte Wert.`,
    count,
  );
}

async function survey(run: ImportRun, source: TextSource): Promise<JsonList> {
  const { text, close } = openJson(run, source, () => run.progress.beat());
  try {
    const found = new JsonSurvey(text, run.limits, run.request.options.element);
    found.walk();
    return chooseItems(run, found);
  } finally {
    close();
  }
}

/** Reads a JSON document: the list that the merchant chose, otherwise the best one, or the whole document as one item. */
export async function readJson(run: ImportRun, source: TextSource): Promise<DetectedFormat> {
  try {
    const list = await survey(run, source);
    if (list.kind === 'single' && source.size > run.limits.record) refuseLong(run);
    notifyAbout(run, list);
    if (list.count > 0) warnDuplicates(run, await readList(run, source, list));
    return { format: 'json', encoding: source.encoding, ...(list.path ? { element: list.path } : {}) };
  } catch (error) {
    return refuseSyntax(error);
  }
}

function refuseLong(run: ImportRun): never {
  throw new Refusal(
    'record_too_long',
    `Die JSON-Datei enthält keine Liste von Artikeln und ist als ein einziger Artikel größer als ${sizeText(run.limits.record)}. Es wurde nichts importiert. Bitte liefern Sie eine Liste von Objekten.`,
  );
}

/** Reads JSON Lines: a broken line is only rejected itself, unless it is the last one of a truncated file. */
export async function readJsonLines(run: ImportRun, source: TextSource): Promise<DetectedFormat> {
  const items = new JsonItems(run);
  let line = 0;
  let good = 0;
  let duplicates = 0;
  let last: { error: JsonError; cut: boolean } | undefined;
  for await (const piece of linePieces(source.path, source.start, run.onBytes)) {
    for (const bytes of linesOfPiece(piece)) {
      line += 1;
      const content = bytes.toString('utf8');
      if (content.trim() === '') continue;
      last = undefined;
      try {
        const text = new JsonText(content, run.limits, () => '', line);
        const item = text.value(0, true);
        text.end();
        duplicates += text.duplicateKeys;
        items.add(item, line);
        good += 1;
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        last = { error, cut: !/[\r\n]$/u.test(content) };
        run.rowsSeen += 1;
        run.rejects.reject(line, `Kein gültiges JSON. ${error.message}`, content.slice(0, 10_000).trimEnd());
      }
    }
    run.progress.rows = run.rowsSeen;
  }
  if (last && (last.cut || good === 0)) refuseSyntax(last.error);
  if (good === 0 && run.rowsSeen === 0)
    throw new Refusal('empty', 'Die Datei enthält keine Einträge. Es wurde nichts importiert.');
  warnDuplicates(run, duplicates);
  return { format: 'jsonl', encoding: source.encoding };
}
