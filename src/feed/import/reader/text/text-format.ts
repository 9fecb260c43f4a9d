import type { ImportOptions } from '#shared/import/schema.ts';
import { modalWidth, sampleRecords, sniffDialect } from '#feed/import/reader/csv/csv-dialect.ts';
import { wrapperOf } from '#feed/import/reader/json/json-wrapper.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';

export type TextFormat = 'csv' | 'json' | 'jsonl' | 'xml' | 'html';

/**
 * Detects the format of a UTF-8 text from its beginning; names only decide what content leaves open.
 * @throws Refusal if it clearly is another format than the merchant chose
 */
export function textFormat(head: string, name: string, chosen: ImportOptions['format']): TextFormat {
  const text = head.replace(/^[\ufeff\s]+/u, '');
  if (chosen === undefined || chosen === 'xlsx') return foundFormat(text, name);
  const other = otherThan(chosen, text);
  if (other === undefined) return chosen;
  throw new Refusal(
    'other_format',
    `Als Format ist ${chosen === 'jsonl' ? labels.jsonl : chosen.toUpperCase()} gewählt, die Datei ist aber offenbar ${labels[other]} („${text.slice(0, 60).replaceAll(/\s+/gu, ' ')}“). Es wurde nichts importiert. Bitte wählen Sie als Format „automatisch erkennen“ oder prüfen Sie den Export.`,
  );
}

const labels: Record<TextFormat, string> = {
  csv: 'eine Tabelle (CSV)',
  json: 'JSON',
  jsonl: 'JSON Lines',
  xml: 'XML',
  html: 'eine Internetseite (HTML)',
};

/** Returns the text's format if it certainly is not the chosen one; undefined if the text can be read as chosen. */
function otherThan(chosen: TextFormat, text: string): TextFormat | undefined {
  if (chosen === 'json' && wrapperOf(text) !== '') return undefined;
  const isJson = /^(?:\[\s*)?\{\s*"[^"]*"\s*:/u.test(text);
  if (chosen === 'csv') {
    if (/^<\?xml\s/iu.test(text)) return 'xml';
    if (/^<(?:!doctype html|html)\b/iu.test(text)) return 'html';
    return isJson ? foundFormat(text, '') : undefined;
  }
  if (chosen === 'xml') return text.startsWith('<') ? undefined : isJson ? 'json' : tableOf(text);
  if (/^<[?!a-z]/iu.test(text)) return foundFormat(text, '');
  if (chosen === 'json' && isJson && looksLikeLines(text, '')) return 'jsonl';
  if (chosen === 'jsonl' && /^\[\s*\{/u.test(text)) return 'json';
  return tableOf(text);
}

/** Returns 'csv' if the beginning of a text splits into cells and is no part of JSON. */
function tableOf(text: string): 'csv' | undefined {
  if (/^[[{]|^\s*"[^"]*"\s*:/mu.test(text.slice(0, 4096))) return undefined;
  const { records, errors } = sampleRecords(text, sniffDialect(text, false, {}), false, 20);
  const width = modalWidth(records);
  const even = records.filter(({ cells }) => cells.length === width).length;
  const isTable = width > 1 && records.length > 1 && errors === 0 && records[0]?.cells.length === width;
  return isTable && even >= records.length * 0.8 ? 'csv' : undefined;
}

function foundFormat(text: string, name: string): TextFormat {
  if (wrapperOf(text) !== '') return 'json';
  const html =
    /^<(!doctype html|html|head|meta|body|style|div|center|br|hr|h[1-6]|pre|font)\b/iu.test(text) ||
    // Pages may be XML; and PHP's error messages begin with <br />.
    /^<\?xml\b[^>]*>\s*<(!doctype html|html)\b/iu.test(text) ||
    // XML may have a root of this name, but without HTML's row elements.
    (/^<table\b/iu.test(text) && (/<tr\b/iu.test(text) || !/<[a-z]/iu.test(text.slice(1))));
  if (html) return 'html';
  if (
    /^<(\?[a-z]|!doctype|!--|[\p{L}_][\p{L}\p{N}_.:-]*(\s+[\p{L}_][\p{L}\p{N}_.:-]*\s*=\s*["']|\s*\/?>))/iu.test(text)
  )
    return 'xml';
  // Text before an XML document: the XML reader refuses it.
  if (/^<\?xml\s/mu.test(text.slice(0, 4096))) return 'xml';
  const named = /\.(json|jsonl|ndjson|geojson)(\.gz)?$/iu.test(name);
  // Comments before JSON: the JSON reader refuses them.
  if (/^(?:\/\/[^\n]*\n\s*|\/\*(?:[^*]|\*(?!\/))*\*\/\s*)+[[{]\s*["{[]/u.test(text)) return 'json';
  if (/^\{\s*("|\}|$)/u.test(text) || (named && text.startsWith('{')))
    return looksLikeLines(text, name) ? 'jsonl' : 'json';
  if (/^\[\s*\[\s*("|\d)/u.test(text)) return 'json';
  if (/^\[\s*([[{"\d\]-]|true|false|null|$)/u.test(text) && (named || !/^\[[^\]\n]*\][^\n,\]]*[;,\t]/u.test(text)))
    return 'json';
  if (named) return tableOf(text) ?? (/l(\.gz)?$|ndjson/iu.test(name) ? 'jsonl' : 'json');
  return 'csv';
}

/**
 * Whether the text is one JSON object per line: the first line is a whole object, and another begins on the next. If the file
 * name says so, the first line may be broken.
 */
function looksLikeLines(text: string, name: string): boolean {
  const named = /\.(jsonl|ndjson)(\.gz)?$/iu.test(name);
  const end = text.indexOf('\n');
  const first = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? '' : text.slice(end).trimStart();
  if (!isObject(first)) return named && isObject(rest.split('\n', 1)[0] ?? '');
  return rest === '' ? named : rest.startsWith('{');
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
