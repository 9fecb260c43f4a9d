import type { Target } from '#shared/assignments/schema.ts';
import { cellsOf } from '#client/fields/assignments/lines/paste.ts';

/** SWM-01: target values as lines to edit: Kennung;Name, or the name alone where it is its own id. */
export function lookupText(lookup: readonly Target[]): string {
  return lookup.map(({ id, name }) => (id === name ? cell(name) : `${cell(id)};${cell(name)}`)).join('\n');
}

/**
 * The target values of such lines, and of what a spreadsheet copies (tabs). A comma parts nothing: names have them. What the lines
 * do not show of a value that was known stays.
 */
export function readLookup(text: string, known: readonly Target[]): Target[] {
  const [first = ''] = text.split('\n', 1);
  const infos = new Map(known.map(({ id, info }) => [id, info]));
  return cellsOf(text, first.includes('\t') ? '\t' : ';')
    .map(([id = '', name = '']) => ({ id: id.trim(), name: (name.trim() === '' ? id : name).trim() }))
    .filter(({ id }) => id !== '')
    .map((target) => ({ ...target, info: infos.get(target.id) ?? '' }));
}

/** So many ids are named: a list pasted twice has as many as lines. */
const NAMED = 5;

/** Which ids stand in the list more than once; undefined: none. */
export function doubledText(targets: readonly Target[]): string | undefined {
  const seen = new Set<string>();
  const doubled = new Set<string>();
  for (const { id } of targets) (seen.has(id) ? doubled : seen).add(id);
  if (doubled.size === 0) return undefined;
  const named = [...doubled].slice(0, NAMED).map((id) => `„${id}“`);
  const more = doubled.size > NAMED ? ` und ${doubled.size - NAMED} weitere` : '';
  return `Doppelt in der Liste: ${named.join(', ')}${more}.`;
}

const cell = (text: string): string => (/^"|[;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
