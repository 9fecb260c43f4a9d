import type { Target } from '#shared/assignments/schema.ts';
import { cellsOf } from '#client/fields/assignments/dialogs/paste.ts';
import { formatInteger } from '#client/ui/text/formats.ts';

/** SWM-01: formats target values as lines to edit: Kennung;Name, or only the name if it equals the id. */
export function lookupText(lookup: readonly Target[]): string {
  return lookup.map(({ id, name }) => (id === name ? cell(name) : `${cell(id)};${cell(name)}`)).join('\n');
}

/**
 * Parses target values from such lines, or from a spreadsheet's tabs. A comma is not a separator: names contain commas. Known
 * values keep the details that the lines do not show.
 */
export function readLookup(text: string, known: readonly Target[]): Target[] {
  const [first = ''] = text.split('\n', 1);
  const infos = new Map(known.map(({ id, info }) => [id, info]));
  return cellsOf(text, first.includes('\t') ? '\t' : ';')
    .map(([id = '', name = '']) => ({ id: id.trim(), name: (name.trim() === '' ? id : name).trim() }))
    .filter(({ id }) => id !== '')
    .map((target) => ({ ...target, info: infos.get(target.id) ?? '' }));
}

/** Ids named at most: a list pasted twice has as many as lines. */
const NAMED = 5;

/** Returns which ids occur more than once; undefined if none. */
export function doubledText(targets: readonly Target[]): string | undefined {
  const seen = new Set<string>();
  const doubled = new Set<string>();
  for (const { id } of targets) (seen.has(id) ? doubled : seen).add(id);
  if (doubled.size === 0) return undefined;
  const named = [...doubled].slice(0, NAMED).map((id) => `„${id}“`);
  const more = doubled.size > NAMED ? ` und ${formatInteger(doubled.size - NAMED)} weitere` : '';
  return `Doppelt in der Liste: ${named.join(', ')}${more}.`;
}

const cell = (text: string): string => (/^"|[;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
