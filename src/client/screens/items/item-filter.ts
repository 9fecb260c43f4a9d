import { type ItemFilter, itemFilterModes, numberFilters } from '#shared/items/schema.ts';
import { numberText } from '#shared/values/number-text.ts';

export type FilterMode = ItemFilter['mode'];

const textModes = ['contains', 'is_equal', 'is_empty', 'is_not_empty'] as const satisfies readonly FilterMode[];
const numberModes = ['is_greater', 'is_less', 'between'] as const satisfies readonly FilterMode[];

/** The conditions a column offers: columns of numbers compare by size too, and do so first. */
export const modesOf = (numeric: boolean): readonly FilterMode[] =>
  numeric ? [...numberModes, ...textModes] : textModes;

/** True for conditions that compare with something typed. */
export const takesValue = (mode: FilterMode): boolean => mode !== 'is_empty' && mode !== 'is_not_empty';

/** What is wrong with a value typed for a condition; undefined where nothing is, or nothing is typed yet. */
export function valueProblem(mode: FilterMode, value: string): string | undefined {
  if (!numberFilters.has(mode) || value.trim() === '' || numberText(value) !== undefined) return undefined;
  return 'Bitte geben Sie eine Zahl ein, zum Beispiel 12,50.';
}

/** The filter that was typed; null while something is missing in it. */
export function typedFilter(field: string, mode: FilterMode, value: string, to: string): ItemFilter | null {
  if (!takesValue(mode)) return { field, mode, value: '' };
  const parts = mode === 'between' ? [value, to] : [value];
  if (parts.some((part) => part === '' || (numberFilters.has(mode) && numberText(part) === undefined))) return null;
  return mode === 'between' ? { field, mode, value, to } : { field, mode, value };
}

/** „Preis liegt zwischen „10“ und „20““, for people. */
export function filterWords(title: string, { mode, value, to }: ItemFilter): string {
  const words = `${title} ${itemFilterModes[mode]}`;
  if (!takesValue(mode)) return words;
  return mode === 'between' ? `${words} „${value}“ und „${to ?? ''}“` : `${words} „${value}“`;
}
