import type { ImportOptions } from '#shared/import/schema.ts';

export type TextFormat = 'csv' | 'json' | 'jsonl' | 'xml' | 'html';

/** Kind of a UTF-8 text judged by its beginning; names only decide what content leaves open. */
export function textFormat(head: string, name: string, chosen: ImportOptions['format']): TextFormat {
  const text = head.replace(/^[\ufeff\s]+/u, '');
  const html =
    /^<(!doctype html|html|head|meta|body|style|div|center)\b/iu.test(text) ||
    // XML may have a root of this name, which holds no rows as HTML calls them.
    (/^<table\b/iu.test(text) && (/<tr\b/iu.test(text) || !/<[a-z]/iu.test(text.slice(1))));
  if (chosen !== undefined && chosen !== 'xlsx') return chosen;
  if (html) return 'html';
  if (
    /^<(\?[a-z]|!doctype|!--|[\p{L}_][\p{L}\p{N}_.:-]*(\s+[\p{L}_][\p{L}\p{N}_.:-]*\s*=\s*["']|\s*\/?>))/iu.test(text)
  )
    return 'xml';
  // Text in front of a document: the XML reader refuses it.
  if (/^<\?xml\s/mu.test(text.slice(0, 4096))) return 'xml';
  const named = /\.(json|jsonl|ndjson|geojson)(\.gz)?$/iu.test(name);
  if (/^\{\s*("|\}|$)/u.test(text) || (named && text.startsWith('{')))
    return looksLikeLines(text, name) ? 'jsonl' : 'json';
  if (/^\[\s*\[\s*("|\d)/u.test(text)) return 'json';
  if (/^\[\s*([[{"\d\]-]|true|false|null|$)/u.test(text) && (named || !/^\[[^\]\n]*\][^\n,\]]*[;,\t]/u.test(text)))
    return 'json';
  if (named) return /l(\.gz)?$|ndjson/iu.test(name) ? 'jsonl' : 'json';
  return 'csv';
}

/** One JSON object a line: the first line is a whole object and another one begins on the next. Where the name says so, the first may be broken. */
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
