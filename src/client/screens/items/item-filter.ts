import { type FilterMode, type ItemFilter, itemFilterModes, numberFilters } from '#shared/items/schema.ts';
import { numberText, pointHint, textLines } from '#shared/values/number-text.ts';
import { formatInteger } from '#client/ui/text/formats.ts';

const textModes = [
  'contains',
  'is_equal',
  'is_not_equal',
  'is_equal_any',
  'not_equal_any',
  'is_empty',
  'is_not_empty',
  'length_exceeds',
  'is_duplicate',
] as const satisfies readonly FilterMode[];
const numberModes = ['is_greater', 'is_less', 'between'] as const satisfies readonly FilterMode[];

/** Returns the conditions that a column offers: number columns also compare by size, and list those first. */
export const modesOf = (numeric: boolean): readonly FilterMode[] =>
  numeric ? [...numberModes, ...textModes] : textModes;

/** Tells whether a condition compares with a typed value. */
export const takesValue = (mode: FilterMode): boolean => !valueless.has(mode);
const valueless = new Set<FilterMode>(['is_empty', 'is_not_empty', 'is_duplicate']);

/** Tells whether a condition's value holds one entry per line. */
export const takesLines = (mode: FilterMode): boolean => mode === 'is_equal_any' || mode === 'not_equal_any';

/** Returns the error in a value typed for a condition; undefined if it is valid or empty. */
export function valueProblem(mode: FilterMode, value: string): string | undefined {
  if (!numberFilters.has(mode) || value.trim() === '' || numberText(value) !== undefined) return undefined;
  return 'Bitte geben Sie eine Zahl ein, zum Beispiel 12,50.';
}

/** Says how an ambiguous number in a condition is read. */
export const valueHint = (mode: FilterMode, value: string): string | undefined =>
  numberFilters.has(mode) ? pointHint(value) : undefined;

/** Returns the typed filter; null while it is incomplete. */
export function typedFilter(field: string, mode: FilterMode, value: string, to: string): ItemFilter | null {
  if (!takesValue(mode)) return { field, mode, value: '' };
  const parts = mode === 'between' ? [value, to] : [value];
  if (parts.some((part) => part === '' || (numberFilters.has(mode) && numberText(part) === undefined))) return null;
  return mode === 'between' ? { field, mode, value, to } : { field, mode, value };
}

/** Describes a filter: „Preis liegt zwischen „10“ und „20““. */
export function filterWords(title: string, { mode, value, to }: ItemFilter): string {
  const words = `${title} ${itemFilterModes[mode]}`;
  if (!takesValue(mode)) return words;
  if (takesLines(mode)) return `${words} ${entriesOf(value)}`;
  return mode === 'between' ? `${words} „${value}“ und „${to ?? ''}“` : `${words} „${value}“`;
}

/** Lists the first entries, and counts the others. */
function entriesOf(value: string): string {
  const entries = textLines(value).filter((entry) => entry !== '');
  const named = entries.slice(0, NAMED).map((entry) => `„${entry}“`);
  return entries.length > NAMED
    ? `${named.join(', ')} und ${formatInteger(entries.length - NAMED)} weiteren`
    : named.join(', ');
}
const NAMED = 3;
