import { filterDefinition, type RowFilter } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { VALUE_TYPES, valueHeading, type ValueType } from '#shared/values/schema.ts';
import { csvOfCells, unguarded } from '#client/csv-download.ts';
import type { SelectableField } from './choices.ts';
import { conditionsOf, filterOf, type Line } from './lines.ts';

/** A field that a row can look at, or a fixed text. */
export type PastedField = Pick<SelectableField, 'name' | 'value'> & { readonly type: ValueType };

/** A line of pasted text as a row to be: what it says, and what is wrong with it. */
export type Pasted = {
  readonly line: number;
  readonly field: PastedField | undefined;
  readonly filter: RowFilter;
  readonly value: string;
  readonly target: TargetEntry | undefined;
  readonly active: boolean;
  readonly error: string | null;
};

export type PasteChoices = {
  readonly fields: readonly SelectableField[];
  /** Null: the target is any text. */
  readonly targets: readonly TargetEntry[] | null;
  /** Where the text names no field. */
  readonly field: SelectableField | undefined;
};

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

/** Of a field, as the CSV file names them; a fixed text is no field that could be found. */
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

/** What parts the cells of a text. The first line has few cells that people wrote; further down a tab may stand in a value of a CSV file. */
function markOf(text: string): string {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  return marks.find((one) => first.includes(one)) ?? marks.find((one) => text.includes(one)) ?? ',';
}

/** Cells of a text as spreadsheets copy it (tabs) or as a CSV file has it (semicolons or commas, quotes). */
export function cellsOf(text: string, mark = markOf(text)): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    [row, cell] = [[], ''];
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '"' && text[at + 1] === '"') cell += text[(at += 1)];
      else if (letter === '"') quoted = false;
      else cell += letter;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === mark) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') endRow();
    else if (letter !== '\r') cell += letter;
  }
  endRow();
  return rows;
}

/** Where the head names its columns they are taken so; else two cells are value and target, four field, filter, value, target. */
function columnsOf(rows: readonly string[][]): { columns: Partial<Record<Column, number>>; headed: boolean } {
  const head = rows[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const columns: Partial<Record<Column, number>> = {};
  for (const [column, words] of columnWords) {
    const found = head.findIndex((cell) => words.includes(cell));
    if (found !== -1) columns[column] = found;
  }
  if (columns.value !== undefined) return { columns, headed: true };
  const width = Math.max(0, ...rows.slice(0, 50).map((row) => row.length));
  if (width >= 4) return { columns: { field: 0, filter: 1, value: 2, target: 3 }, headed: false };
  return { columns: width === 3 ? { field: 0, value: 1, target: 2 } : { value: 0, target: 1 }, headed: false };
}

/** Reads rows out of pasted text and says of each whether it can be taken. */
export function readPasted(text: string, choices: PasteChoices): Pasted[] {
  const rows = cellsOf(text);
  const { columns, headed } = columnsOf(rows);
  const fieldOf = fieldFinder(choices);
  const targets = targetFinder(choices.targets);
  return rows.slice(headed ? 1 : 0).map((row, index) => {
    const asWritten = (column: Column) => (columns[column] === undefined ? '' : (row[columns[column]] ?? ''));
    const cell = (column: Column) => unguarded(asWritten(column).trim());
    // Blanks around a value are compared, those around a free target written: a file of ours has them because the row has them.
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
      wanted !== '' && target === undefined && `Das Ziel „${wanted}“ gibt es nicht`,
      active === undefined && `„Aktiv“ ist ja oder nein, nicht „${cell('active')}“`,
      cell('second') !== '' &&
        'Zeilen mit zwei Bedingungen lassen sich nicht einfügen; bitte legen Sie sie von Hand an',
    ];
    return {
      line: index + (headed ? 2 : 1),
      field,
      filter: filter ?? 'is_equal',
      value,
      target: wanted === '' ? undefined : target,
      active: active ?? true,
      error: errors.find((error) => error !== false) ?? null,
    };
  });
}

/** Finds a field by what a text calls it, with its kind where it says one: a fixed text or value needs to be in no list. */
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

/** Finds a target by its id or name; null where any text is one. */
function targetFinder(targets: readonly TargetEntry[] | null): ((wanted: string) => TargetEntry | undefined) | null {
  if (targets === null) return null;
  const found = new Map<string, TargetEntry>();
  // The more surely a text means a target, the later it is put: ids win over names, as two categories may have one name, and what is
  // spelled exactly so over other cases, as a list may have both 'BOSCH' and 'Bosch'.
  for (const target of targets) found.set(target.name.toLowerCase(), target);
  for (const target of targets) found.set(target.id.toLowerCase(), target);
  const exact = new Map<string, TargetEntry>();
  for (const target of targets) exact.set(target.name, target);
  for (const target of targets) exact.set(target.id, target);
  return (wanted) => exact.get(wanted) ?? found.get(wanted.toLowerCase());
}

/** The rows as a CSV file that can be pasted back, but for those with a second condition: 'Und' names it. */
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
