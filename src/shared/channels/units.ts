import type { ChannelField } from './schema.ts';

/** Units as merchants and channels write them, one per line; the first spelling is for a channel without its own list. */
const units: readonly (readonly string[])[] = [
  ['kg', 'kilogramm', 'kilogram', 'kilograms', 'kilo', 'kgs', 'kgm'],
  ['g', 'gramm', 'gram', 'grams', 'gr', 'grm'],
  ['mg', 'milligramm', 'milligram'],
  ['l', 'liter', 'litre', 'liters', 'ltr', 'lt'],
  ['ml', 'milliliter', 'millilitre'],
  ['cl', 'zentiliter', 'centiliter'],
  ['m', 'meter', 'metre', 'lfm', 'laufmeter', 'mtr'],
  ['cm', 'zentimeter', 'centimeter', 'centimetre'],
  ['mm', 'millimeter', 'millimetre'],
  ['m²', 'sqm', 'qm', 'm2', 'quadratmeter'],
  ['m³', 'cbm', 'm3', 'kubikmeter'],
  ['Stück', 'ct', 'stueck', 'stk', 'stck', 'st', 'pcs', 'pc', 'pce', 'piece', 'pieces'],
  ['in', 'zoll', 'inch', 'inches', '"', '″'],
  ['oz', 'unze', 'unzen', 'ounce'],
  ['lb', 'lbs', 'pfund', 'pound', 'pounds'],
];

const spelled: ReadonlySet<string> = new Set(units.flat().map((spelling) => spelling.toLowerCase()));

/** Returns whether a text in small letters is a known unit. */
export const isUnit = (text: string): boolean => spelled.has(text);

/** A number and the text after it, each in a group; RE2 and JavaScript match it alike. */
export const MEASURE_PARTS = String.raw`\s*([+-]?[0-9][0-9.,]*)\s*([^\s0-9.,+-][^.,]{0,14}?)\.?\s*`;

/** Returns the channel's spelling of each unit by merchants' spellings in small letters; empty if the field is no measure. */
export function unitSpellings({ type, pattern }: Pick<ChannelField, 'type' | 'pattern'>): Map<string, string> {
  const found = new Map<string, string>();
  if (type !== 'measure') return found;
  const listed = pattern === undefined ? undefined : unitsIn(pattern);
  for (const spellings of units) {
    const own = listed === undefined ? spellings[0] : spellings.find((spelling) => listed.has(spelling));
    if (own !== undefined) for (const spelling of spellings) found.set(spelling.toLowerCase(), own);
  }
  return found;
}

/** Returns the units at the end of a pattern: `\d+ ?(cm|in)`. */
function unitsIn(pattern: string): ReadonlySet<string> | undefined {
  const [, list] = /\(([^()]+)\)$/.exec(pattern) ?? [];
  return list === undefined ? undefined : new Set(list.split('|'));
}
