import { setImmediate } from 'node:timers/promises';
import type { DetectedFormat } from '#shared/import/schema.ts';
import { FlatColumns } from '#feed/import/reader/flat-columns.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { JsonError, JsonNumber, JsonText, pieceReader, type JsonValue } from './json-text.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { linePieces, linesOfPiece } from '#feed/import/reader/text/text-survey.ts';

/** Writes a value as compact JSON, numbers as they were. */
export function jsonOf(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${jsonOf(member)}`).join(',')}}`;
  return JSON.stringify(value);
}

function scalarText(value: JsonValue): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value instanceof JsonNumber ? value.digits : undefined;
}

/** One value a line; JSON where lines would lose something. */
function arrayText(values: readonly JsonValue[]): string {
  if (values.length === 0) return '';
  const texts = values.map(scalarText);
  const plain = texts.every((text) => text !== undefined && !text.includes('\n'));
  return plain ? texts.filter((text) => text !== '').join('\n') : jsonOf([...values]);
}

/** Gives JSON items to the staging: nested objects become `a.b`, lists one value a line. */
class JsonItems {
  private readonly run: ImportRun;
  private readonly columns: FlatColumns;

  constructor(run: ImportRun) {
    this.run = run;
    this.columns = new FlatColumns(run.columns);
  }

  add(item: JsonValue, line: number): void {
    const { run } = this;
    run.rowsSeen += 1;
    if (!(item instanceof Map)) {
      run.rejects.reject(line, 'Der Eintrag ist kein Objekt mit Feldern.', jsonOf(item));
      return;
    }
    const cells: string[] = [];
    this.flatten(item, '', '', cells);
    const long = cells.find((cell) => cell !== undefined && cell.length > run.limits.cell);
    if (long === undefined) run.staging.add(cells, line, run.rowsSeen);
    else
      run.rejects.reject(
        line,
        `Ein Wert ist größer als erlaubt (${sizeText(run.limits.cell)}).`,
        jsonOf(item).slice(0, 10_000),
      );
  }

  private flatten(item: Map<string, JsonValue>, path: string, header: string, cells: string[]): void {
    for (const [key, value] of item) {
      const here = path === '' ? key : `${path}\u0000${key}`;
      const name = path === '' ? key : `${header}.${key}`;
      if (value instanceof Map && value.size > 0) this.flatten(value, here, name, cells);
      else cells[this.columns.at(here, name)] = Array.isArray(value) ? arrayText(value) : (scalarText(value) ?? '');
    }
  }
}

function refuseSyntax(error: unknown): never {
  if (!(error instanceof JsonError)) throw error;
  throw new Refusal(
    'json_syntax',
    `Die JSON-Datei ist fehlerhaft. ${error.message} Es wurde nichts importiert, der bisherige Stand bleibt. Bitte prüfen Sie den Export.`,
    error.line,
  );
}

/** A document may have a list in each of its items, all under other names. */
const maxLists = 20_000;

/** Arrays with objects in them, by path, and how many objects. */
function surveyLists(text: JsonText): Map<string, number> {
  const lists = new Map<string, number>();
  const walk = (path: string, depth: number): void => {
    const char = text.peek();
    if (char === '{' && depth < 60) text.members((key) => walk(path === '' ? key : `${path}.${key}`, depth + 1));
    else if (char === '[') {
      let objects = 0;
      text.elements(() => {
        if (text.peek() === '{') objects += 1;
        text.value(depth + 1, false);
      });
      if (objects > 0 && (lists.has(path) || lists.size < maxLists))
        lists.set(path, Math.max(objects, lists.get(path) ?? 0));
    } else text.value(depth, false);
  };
  walk('', 0);
  text.end();
  return lists;
}

function chooseList(run: ImportRun, lists: Map<string, number>): string | undefined {
  const { element } = run.request.options;
  if (element !== undefined) {
    if (lists.has(element)) return element;
    const found = [...lists]
      .slice(0, 10)
      .map(([path, count]) => `„${path || '(oberste Ebene)'}“ (${countText(count)})`)
      .join(', ');
    throw new Refusal(
      'element_missing',
      `Die Liste „${element}“ kommt in der Datei nicht vor. Es wurde nichts importiert. Gefunden: ${found || 'keine Liste von Objekten'}.`,
    );
  }
  return [...lists].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

/** Reads the items of the list at `path` (dots between keys; '' = the outermost value). */
async function readList(run: ImportRun, source: TextSource, path: string, single: boolean): Promise<number> {
  const items = new JsonItems(run);
  const reader = pieceReader(source.path, source.start, run.onBytes);
  const text = new JsonText('', run.limits, reader.more);
  try {
    const steps = listSteps(text, path, 0, single, (item, line) => items.add(item, line));
    for (const _ of steps)
      if (run.rowsSeen % 500 === 0) {
        run.progress.rows = run.rowsSeen;
        await setImmediate();
      }
    text.end();
  } finally {
    reader.close();
  }
  return text.duplicateKeys;
}

/** Walks to the list and hands out its elements; yields after each one so that the caller can breathe. */
function* listSteps(
  text: JsonText,
  path: string,
  depth: number,
  single: boolean,
  onItem: (item: JsonValue, line: number) => void,
): Generator<void> {
  if (single) {
    text.peek();
    onItem(text.value(0, true), text.currentLine);
    return;
  }
  if (path === '' && text.peek() === '[') {
    yield* elementSteps(text, depth, onItem);
    return;
  }
  text.take('{', 'Hier wird { erwartet.');
  if (text.takeIf('}')) return;
  do {
    text.peek();
    const key = text.string();
    text.take(':', 'Hier wird ein Doppelpunkt erwartet.');
    const next = text.peek();
    if (path === key && next === '[') yield* elementSteps(text, depth + 1, onItem);
    else if (next === '{' && path.startsWith(`${key}.`))
      yield* listSteps(text, path.slice(key.length + 1), depth + 1, false, onItem);
    else text.value(depth + 1, false);
  } while (text.takeIf(','));
  text.take('}', 'Hier wird ein Komma oder } erwartet.');
}

function* elementSteps(
  text: JsonText,
  depth: number,
  onItem: (item: JsonValue, line: number) => void,
): Generator<void> {
  text.take('[', 'Hier wird [ erwartet.');
  if (text.takeIf(']')) return;
  do {
    text.peek();
    const line = text.currentLine;
    onItem(text.value(depth + 1, true), line);
    yield;
  } while (text.takeIf(','));
  text.take(']', 'Hier wird ein Komma oder ] erwartet.');
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

/** A JSON document: the list chosen or, without a choice, the longest list of objects, or the one object it is. */
export async function readJson(run: ImportRun, source: TextSource): Promise<DetectedFormat> {
  try {
    const reader = pieceReader(source.path, source.start, () => run.progress.beat());
    let list: string | undefined;
    let outermost = '';
    try {
      const text = new JsonText('', run.limits, reader.more);
      outermost = text.peek();
      const lists = surveyLists(text);
      list = chooseList(run, lists);
    } finally {
      reader.close();
    }
    const empty = list === undefined && outermost === '[';
    if (list === undefined && outermost !== '{' && !(empty && (await isEmptyList(source, run)))) {
      throw new Refusal(
        'json_no_items',
        'Die JSON-Datei enthält keine Liste von Artikeln (Objekten). Es wurde nichts importiert. Bitte liefern Sie eine Liste von Objekten.',
      );
    }
    warnDuplicates(run, await readList(run, source, list ?? '', list === undefined && outermost === '{'));
    return { format: 'json', encoding: source.encoding, ...(list ? { element: list } : {}) };
  } catch (error) {
    return refuseSyntax(error);
  }
}

async function isEmptyList(source: TextSource, run: ImportRun): Promise<boolean> {
  const reader = pieceReader(source.path, source.start, () => run.progress.beat());
  try {
    const text = new JsonText('', run.limits, reader.more);
    text.take('[', '[');
    return text.peek() === ']';
  } finally {
    reader.close();
  }
}

/** JSON Lines: a broken line costs only itself, unless it is the last one of a cut file. */
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
