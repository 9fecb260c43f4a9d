import { filterDefinition, type RowFilter } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { VALUE_TYPES, valueHeading, type ValueType } from '#shared/values/schema.ts';
import { csvOfCells, unguarded } from '#client/csv-download.ts';
import type { SelectableField } from '#client/fields/assignments/lines/choices.ts';
import { conditionsOf, filterOf, type Line } from '#client/fields/assignments/lines/lines.ts';

/** A field that a row can read, or a fixed text. */
export type PastedField = Pick<SelectableField, 'name' | 'value'> & { readonly type: ValueType };

/** A line of pasted text parsed as a row, with its error. */
export type Pasted = {
  readonly line: number;
  readonly field: PastedField | undefined;
  readonly filter: RowFilter;
  readonly value: string;
  readonly target: TargetEntry | undefined;
  readonly active: boolean;
  readonly error: string | null;
  /** The table has the same row already, so there is nothing to add and nothing wrong. */
  readonly present: boolean;
};

export type PasteChoices = {
  readonly fields: readonly SelectableField[];
  /** Null: the target is any text. */
  readonly targets: readonly TargetEntry[] | null;
  /** The field for rows whose text names none. */
  readonly field: PastedField | undefined;
  /** The rows that the table has, as `presentIn` gives them. */
  readonly present: ReadonlySet<string>;
};

/** The content of a row; two rows with the same do the same. */
const contentOf = (input: Pick<PastedField, 'type' | 'value'> | undefined, ...rest: (string | boolean | undefined)[]) =>
  JSON.stringify([input?.type, input?.value, ...rest]);

/** Returns the contents of a table's rows that pasted ones can repeat: those with one condition. */
export const presentIn = (lines: readonly Line[]): ReadonlySet<string> =>
  new Set(
    lines.flatMap((line) => {
      const [first, second] = conditionsOf(line);
      if (first === undefined || second !== undefined) return [];
      return [contentOf(first.input, first.filter, first.value, line.target, line.active)];
    }),
  );

type Column = 'field' | 'kind' | 'filter' | 'value' | 'target' | 'active' | 'second';
const columnWords: readonly (readonly [Column, readonly string[]])[] = [
  ['field', ['feld', 'field']],
  ['kind', ['feldart']],
  ['filter', ['filter']],
  ['value', ['wert', 'value']],
  ['target', ['ziel', 'weise wert zu', 'weise kategorie zu', 'weise marke zu', 'weise farbe zu', 'target']],
  ['active', ['aktiv', 'active']],
  ['second', ['und']],
];

/** Returns the field type as the CSV file names it; a fixed text is not a field that could be looked up. */
const kindOf = (type: ValueType): string => (type === '_string' ? 'Fester Text' : valueHeading(type));
const activeWords: Readonly<Record<string, boolean>> = {
  '': true,
  ja: true,
  yes: true,
  true: true,
  1: true,
  nein: false,
  no: false,
  false: false,
  0: false,
};

const marks = ['\t', ';', ','];

/**
 * Returns the cell separator of a text. The first line decides, because its few cells were written by people; further down, a
 * value of a CSV file may contain a tab.
 */
function markOf(text: string): string {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  return marks.find((one) => first.includes(one)) ?? marks.find((one) => text.includes(one)) ?? ',';
}

/** Splits a text into cells, as spreadsheets copy it (tabs) or as a CSV file has it (semicolons or commas, quotes). */
export const cellsOf = (text: string, mark = markOf(text)): string[][] =>
  numberedCells(text, mark).map(({ cells }) => cells);

/** The cells, with the number of the text's line on which a row begins; blank lines are left out. */
function numberedCells(text: string, mark = markOf(text)): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let row: string[] = [];
  let cell = '';
  let [line, begun] = [1, 1];
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one.trim() !== '')) rows.push({ line: begun, cells: row });
    [row, cell] = [[], ''];
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    const quoted = letter === '"' && cell === '' ? quotedAt(text, at, mark) : undefined;
    if (quoted !== undefined) {
      cell = quoted.cell;
      line += cell.split('\n').length - 1;
      at = quoted.end;
    } else if (letter === mark) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') {
      endRow();
      begun = line += 1;
    } else if (letter !== '\r') cell += letter;
  }
  endRow();
  return rows;
}

/**
 * Returns the cell in quotes that begins here, and where it ends; undefined if the quote is a letter of the cell, because no other
 * one ends the cell: spreadsheets copy "Premium" Hammer as it is.
 */
function quotedAt(text: string, start: number, mark: string): { cell: string; end: number } | undefined {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) return undefined;
  const cell = text.slice(start + 1, end).replaceAll('""', '"');
  // Blanks behind the quote are none of the cell's text.
  while (text[end + 1] === ' ') end += 1;
  const next = text[end + 1];
  return next === undefined || next === mark || next === '\r' || next === '\n' ? { cell, end } : undefined;
}

type Columns = {
  readonly columns: Partial<Record<Column, number>>;
  readonly headed: boolean;
  /** The heading of the values if it is not 'Wert': people write the field's name there. */
  readonly named?: string;
};

/**
 * Assigns the columns by their headings if there are any, also `Marke` and `Ziel`; else two cells are value and target, four are
 * field, filter, value, target.
 */
function columnsOf(rows: readonly string[][]): Columns {
  const head = rows[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const columns: Partial<Record<Column, number>> = {};
  for (const [column, words] of columnWords) {
    const found = head.findIndex((cell) => words.includes(cell));
    if (found !== -1) columns[column] = found;
  }
  if (columns.value !== undefined) return { columns, headed: true };
  const others = head.flatMap((_, at) => (Object.values(columns).includes(at) ? [] : [at]));
  const [value] = others;
  if (columns.target !== undefined && value !== undefined && others.length === 1 && rows.length > 1)
    return { columns: { ...columns, value }, headed: true, named: rows[0]?.[value]?.trim() ?? '' };
  const width = Math.max(0, ...rows.slice(0, 50).map((row) => row.length));
  if (width >= 4) return { columns: { field: 0, filter: 1, value: 2, target: 3 }, headed: false };
  return { columns: width === 3 ? { field: 0, value: 1, target: 2 } : { value: 0, target: 1 }, headed: false };
}

/** Parses rows from pasted text and says for each whether it can be applied. */
export function readPasted(text: string, choices: PasteChoices): Pasted[] {
  const rows = numberedCells(text);
  const { columns, headed, named } = columnsOf(rows.map(({ cells }) => cells));
  const ofHeading = named === undefined ? undefined : fieldFinder(choices)(unguarded(named), '');
  const fieldOf = fieldFinder({ ...choices, field: ofHeading ?? choices.field });
  const targets = targetFinder(choices.targets);
  /** The line of each row, by its content. */
  const seen = new Map<string, number>();
  return rows.slice(headed ? 1 : 0).map(({ line, cells: row }) => {
    const asWritten = (column: Column) => (columns[column] === undefined ? '' : (row[columns[column]] ?? ''));
    const cell = (column: Column) => unguarded(asWritten(column).trim());
    // Blanks around a value count in comparisons, and those around a free target are output: only our own files (they have the
    // column 'Feldart') keep them.
    const whole = (column: Column) => (columns.kind === undefined ? cell(column) : unguarded(asWritten(column)));
    const value = whole('value');
    const field = fieldOf(cell('field'), cell('kind'));
    const filter = cell('filter') === '' ? 'is_equal' : filterOf(cell('filter'));
    const wanted = targets === null ? whole('target') : cell('target');
    const target = targets === null ? { id: wanted, name: wanted, info: '' } : targets(wanted);
    const active = activeWords[cell('active').toLowerCase()];
    const errors = [
      field === undefined &&
        (cell('field') === '' ? 'Kein Feld angegeben' : `Das Feld „${cell('field')}“ gibt es nicht`),
      filter === undefined && `Der Filter „${cell('filter')}“ ist unbekannt`,
      value === '' && 'Der Wert ist leer',
      wanted !== '' && target === undefined && unknownTarget(wanted, choices.targets),
      active === undefined && `„Aktiv“ ist ja oder nein, nicht „${cell('active')}“`,
      cell('second') !== '' &&
        'Zeilen mit zwei Bedingungen lassen sich nicht einfügen; bitte legen Sie sie von Hand an',
    ];
    const content = contentOf(field, filter, value, wanted === '' ? '' : target?.id, active);
    // A row that is not taken itself makes no other one a double.
    const isTaken = errors.every((error) => error === false);
    const first = isTaken ? seen.get(content) : undefined;
    if (isTaken && first === undefined) seen.set(content, line);
    const present = isTaken && choices.present.has(content);
    const repeats = present ? 'Steht schon in der Tabelle' : first !== undefined && `Steht schon in Zeile ${first}`;
    return {
      line,
      field,
      filter: filter ?? 'is_equal',
      value,
      target: wanted === '' ? undefined : target,
      active: active ?? true,
      error: [...errors, repeats].find((error) => error !== false) ?? null,
      present,
    };
  });
}

const unknownTarget = (wanted: string, targets: PasteChoices['targets']): string =>
  targets?.length === 0
    ? `Für das Ziel „${wanted}“ ist noch keine Liste geladen`
    : `Das Ziel „${wanted}“ gibt es nicht`;

/** Returns the field that all rows of a table read in their first condition; undefined if there is no such one. */
export function commonField(lines: readonly Line[], fields: readonly SelectableField[]): SelectableField | undefined {
  const inputs = lines.map((line) => conditionsOf(line)[0]?.input);
  const [first] = inputs;
  if (first === undefined || inputs.some((one) => one?.type !== first.type || one.value !== first.value))
    return undefined;
  return fields.find(({ type, value }) => type === first.type && value === first.value);
}

/**
 * Makes a function that finds a field by its name in a text, and by its type if the text gives one: a
 * fixed text or value need not be in a list.
 */
function fieldFinder({ fields, field }: PasteChoices): (named: string, kind: string) => PastedField | undefined {
  const known = new Map(
    fields.flatMap((one) => [one.value, one.name].map((called) => [called.toLowerCase(), one] as const)),
  );
  return (named, kind) => {
    const type = VALUE_TYPES.find((one) => kindOf(one.type).toLowerCase() === kind.toLowerCase())?.type;
    if (type === '_string') return { type, name: named, value: named };
    if (named === '') return field;
    const found = fields.find((one) => one.type === type && one.value === named);
    return found ?? (type === '_default' ? { type, name: named, value: named } : known.get(named.toLowerCase()));
  };
}

/** Makes a function that finds a target by its id or name; null if any text is a target. */
function targetFinder(targets: readonly TargetEntry[] | null): ((wanted: string) => TargetEntry | undefined) | null {
  if (targets === null) return null;
  const found = new Map<string, TargetEntry>();
  // Later entries win, so the most reliable match is set last: ids over names, since two categories may share a name, and exact
  // spelling over other cases, since a list may have both 'BOSCH' and 'Bosch'.
  for (const target of targets) found.set(target.name.toLowerCase(), target);
  for (const target of targets) found.set(target.id.toLowerCase(), target);
  const exact = new Map<string, TargetEntry>();
  for (const target of targets) exact.set(target.name, target);
  for (const target of targets) exact.set(target.id, target);
  return (wanted) => exact.get(wanted) ?? found.get(wanted.toLowerCase());
}

/** Formats the rows as a CSV file that can be pasted back, except rows with a second condition, which the column 'Und' shows. */
export function csvOf(lines: readonly Line[], targetName: string): string {
  const head = ['Feld', 'Feldart', 'Filter', 'Wert', 'Ziel', targetName, 'Aktiv', 'Und'];
  const rows = lines.map((line) => {
    const [first, second] = conditionsOf(line);
    return [
      first?.input.value ?? '',
      kindOf(first?.input.type ?? '_string'),
      first?.filter ?? '',
      first?.value ?? '',
      line.target,
      line.catname,
      line.active ? 'ja' : 'nein',
      second === undefined ? '' : `${second.input.value} ${filterDefinition(second.filter).label} ${second.value}`,
    ];
  });
  return csvOfCells([head, ...rows]);
}
