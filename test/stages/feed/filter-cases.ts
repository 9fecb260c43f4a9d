import type { ItemFilter } from '#shared/items/schema.ts';

/** Texts of one field, by item; an item without an entry has no value. */
export const filterTexts: Readonly<Record<string, string>> = {
  'A-1': 'Rot',
  'A-2': 'rot',
  'A-3': 'Blau',
  'A-4': '12,50 €',
  'A-5': 'größer als alle anderen Texte',
  'A-6': '',
  'A-7': 'Grün',
  'A-8': '1.299,90',
  'A-9': '\t\u00a0',
};

type FilterCase = Omit<ItemFilter, 'field'> & { readonly finds: readonly string[] };

/** The items that each filter of the grid must find; server and browser must agree. */
export const filterCases: readonly FilterCase[] = [
  { mode: 'contains', value: 'RO', finds: ['A-1', 'A-2'] },
  { mode: 'is_equal', value: 'ROT', finds: ['A-1', 'A-2'] },
  { mode: 'is_not_equal', value: 'ROT', finds: ['A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8', 'A-9'] },
  { mode: 'is_equal_any', value: 'grÜn\n\nBLAU\r\nx', finds: ['A-3', 'A-7'] },
  { mode: 'is_equal_any', value: '\n', finds: [] },
  { mode: 'not_equal_any', value: 'rot\nblau\ngrün', finds: ['A-4', 'A-5', 'A-6', 'A-8', 'A-9'] },
  // As in rules, invisible characters count as empty.
  { mode: 'is_empty', value: '', finds: ['A-6', 'A-9'] },
  { mode: 'is_not_empty', value: '', finds: ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-7', 'A-8'] },
  { mode: 'is_greater', value: '12.5', finds: ['A-8'] },
  { mode: 'is_less', value: '100', finds: ['A-4'] },
  { mode: 'between', value: '12,5', to: '1299.9', finds: ['A-4', 'A-8'] },
  { mode: 'length_exceeds', value: '7', finds: ['A-5', 'A-8'] },
  { mode: 'length_exceeds', value: '28', finds: ['A-5'] },
  { mode: 'length_exceeds', value: '29', finds: [] },
  // A missing value has no length.
  { mode: 'length_exceeds', value: '-1', finds: ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-7', 'A-8', 'A-9'] },
  { mode: 'is_duplicate', value: '', finds: ['A-1', 'A-2'] },
];
