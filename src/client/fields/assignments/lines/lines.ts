import {
  ASSIGNMENT_LIMITS,
  type CategoryRow,
  filterDefinition,
  type MappingRow,
  ROW_FILTERS,
  type RowCondition,
  type RowFilter,
} from '#shared/assignments/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import { fieldWord } from '#shared/rules/sentences.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';

/** A row of any of the five tables. */
export type Line = MappingRow | CategoryRow;

const emptySource: SourcePart = { type: '_string', value: '', caption: '' };

export function isCategory(line: Line): line is CategoryRow {
  return 'producttyp' in line;
}

/** Returns the conditions of a row: one, or two in a category table. */
export function conditionsOf(line: Line): readonly RowCondition[] {
  if (isCategory(line)) return line.field;
  return [{ input: line.field[0] ?? emptySource, filter: line.filter, value: line.value }];
}

/** Returns the row with one of its conditions changed. */
export function withCondition<L extends Line>(line: L, index: number, condition: RowCondition): L {
  if (isCategory(line)) return { ...line, field: line.field.with(index, condition) };
  return { ...line, field: [condition.input], filter: condition.filter, value: condition.value };
}

/** Tells whether a value can also be a target: targets have a shorter limit. */
export const fitsTarget = (value: string): boolean => value.length <= ASSIGNMENT_LIMITS.target;

/**
 * Returns the row with another target; undefined empties it. The name is stored to be shown if the list no longer has the target.
 */
export function withTarget<L extends Line>(line: L, target: Pick<TargetEntry, 'id' | 'name' | 'info'> | undefined): L {
  const chosen = { ...line, target: target?.id ?? '', catname: target?.name ?? '' };
  return isCategory(line) ? { ...chosen, producttyp: target?.info ?? '' } : chosen;
}

/** Returns the filters that a table offers; `own` too, which a row may have from another table or a program. */
export const filtersOf = (all: boolean, own?: RowFilter) =>
  ROW_FILTERS.filter(({ filter, basic }) => all || basic || filter === own);

/** CAT-06: ascending by the value of the first condition. */
export function sortedByValue<L extends Line>(lines: readonly L[]): L[] {
  const collator = new Intl.Collator('de', { numeric: true });
  const first = (line: L) => conditionsOf(line)[0]?.value ?? '';
  return lines.toSorted((a, b) => collator.compare(first(a), first(b)));
}

/**
 * Facts about the rows beyond their content: items by row id, rows that another one shadows, existing targets, and a sentence for
 * each field that is gone.
 */
export type LineFacts = {
  readonly counts: Readonly<Record<string, number>> | null;
  readonly shadowed: ReadonlyMap<string, string>;
  /** The names of the existing targets, by id. Null: any text may be a target. */
  readonly known: ReadonlyMap<string, string> | null;
  readonly gone: ReadonlyMap<string, string>;
};

export const lineStates = {
  all: 'Alle Zeilen',
  open: 'Ohne Ziel',
  unknown: 'Ziel gibt es nicht mehr',
  empty: 'Trifft keinen Artikel',
  shadowed: 'Kommt nie zum Zug',
  paused: 'Pausiert',
} as const;
export type LineState = keyof typeof lineStates;
export const lineStateNames = [
  'all',
  'open',
  'unknown',
  'empty',
  'shadowed',
  'paused',
] as const satisfies readonly LineState[];

export function hasState(line: Line, state: LineState, { counts, shadowed, known }: LineFacts): boolean {
  switch (state) {
    case 'all':
      return true;
    case 'open':
      return line.target === '';
    case 'unknown':
      return isUnknown(line, { known });
    case 'empty':
      // A row missing in the counts may have any number of items.
      return line.active && counts?.[line.id] === 0;
    case 'shadowed':
      return shadowed.has(line.id);
    case 'paused':
      return !line.active;
  }
}

/** Tells whether the target list lacks the row's target, e.g. after a newer list was loaded. */
export function isUnknown({ target }: Line, { known }: Pick<LineFacts, 'known'>): boolean {
  return target !== '' && known !== null && !known.has(target);
}

/** Returns the name of a row's target. A row that a program saved may lack it, so the list's name comes first, as in exports. */
export function targetText({ target, catname }: Line, { known }: Pick<LineFacts, 'known'>): string {
  return known?.get(target) ?? (catname === '' ? target : catname);
}

/** Returns the sentence about the first field of a row that is gone. */
export function goneIn(line: Line, { gone }: Pick<LineFacts, 'gone'>): string | undefined {
  if (gone.size === 0) return undefined;
  return conditionsOf(line)
    .flatMap(({ input: { type, value } }) => (type === '_field' ? (gone.get(value) ?? []) : []))
    .at(0);
}

/**
 * Returns a row's height in pixels: controls are 32 high, 4 are between two, a problem below the fields or the target takes a
 * line (cells.module.css). `narrow`: it is a card, whose cells stand below each other (assignment-table.module.css).
 */
export function heightOf(line: Line, facts: LineFacts, narrow = false): number {
  const conditions = conditionsOf(line).length;
  const noteHeight = isUnknown(line, facts) || facts.shadowed.has(line.id) ? 20 : 0;
  const goneHeight = goneIn(line, facts) === undefined ? 0 : 20;
  if (narrow) return 81 + conditions * 108 + goneHeight + noteHeight;
  return 7 + Math.max(conditions * 36 - 4 + goneHeight, 32 + noteHeight);
}

/** Tells whether the text occurs in a value, a field or the target of a row. */
export function hasText(line: Line, text: string, facts: Pick<LineFacts, 'known'>): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  const conditions = conditionsOf(line).flatMap(({ input, value }) => [input.value, input.caption, value]);
  const parts = [...conditions, line.target, line.catname, targetText(line, facts)];
  return parts.some((part) => part.toLowerCase().includes(wanted));
}

/** Returns „Zeile 3: Farbe entspricht „rot““ for labels of controls and for announcements. */
export function lineName(line: Line, index: number): string {
  const [first] = conditionsOf(line);
  if (first === undefined || (first.value === '' && first.input.value === '')) return `Zeile ${index + 1}`;
  return `Zeile ${index + 1} (${sourceWord(first.input)} ${filterDefinition(first.filter).label} ${first.value})`;
}

/** The name under which a source is shown: internal fields and mappings are stored by their keys. */
const sourceWord = ({ type, value }: SourcePart): string =>
  type === '_intern' || type === '_mapping' ? fieldWord(`${type}:${value}`) : value;

export function filterOf(text: string): RowFilter | undefined {
  return ROW_FILTERS.find(({ filter, label }) => filter === text || label.toLowerCase() === text.trim().toLowerCase())
    ?.filter;
}
