import { mayNumberItems } from '#feed/import/reader/key.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { isUnit } from '#shared/channels/units.ts';
import { kindOf } from './cell-kinds.ts';

type Row = { cells: readonly string[] };

/** Currencies, and units that tables use but no channel does. */
const others = new Set(
  '% € $ £ eur euro chf usd gbp pln czk sek dkk nok w kw kwh wh v kv a ma mah ah hz khz mhz ghz lm k °c c bar pa kpa mpa n nm kn db dm km t h min s sek tage std grad ° kcal kj gb mb tb mm² cm² km² cm³ dm³ l/min m/s km/h'.split(
    ' ',
  ),
);

/** Whether a cell is only a unit, as in a table's second line: kg, [mm], (EUR), in cm. */
function isUnitName(cell: string): boolean {
  const bare = cell
    .trim()
    .replace(/^(?:\[(.*)\]|\((.*)\))$/u, '$1$2')
    .replace(/^in (?=\S)/iu, '')
    .trim()
    .toLowerCase();
  return others.has(bare) || isUnit(bare);
}

const label = /^\s*\[?(?:maß)?(?:einheit(?:en)?|units?)\]?:?\s*$/iu;

/** Whether a cell is a single letter, like S, M, L: it may be a size or a code. */
const isLetter = (cell: string): boolean => /^\p{L}$/u.test(cell.trim());

/**
 * Whether the row below the header only gives the units of the columns. Each cell must be empty or a unit above numbers, and the
 * cells that would number an item (by their name, or in the first column) must be empty or label the row as units: no item looks
 * like that.
 */
export function isUnitRow(second: Row | undefined, body: readonly Row[], header: Row | undefined): boolean {
  if (!second || body.length === 0) return false;
  const filled = [...second.cells.entries()].filter(
    ([column, cell]) => !/^[\s–-]*$/u.test(cell) && !(column === 0 && label.test(cell)),
  );
  if (filled.every(([, cell]) => isLetter(cell))) return false;
  if (filled.some(([column]) => column === 0 || mayNumberItems(header?.cells[column] ?? ''))) return false;
  if (!filled.every(([, cell]) => isUnitName(cell))) return false;
  const sample = body.slice(0, 100);
  return filled.every(([column]) => {
    const kinds = sample.map((row) => kindOf(row.cells[column] ?? '')).filter((kind) => kind !== 'empty');
    return kinds.length > 0 && kinds.filter((kind) => kind === 'number').length >= kinds.length * 0.8;
  });
}

/** Warns which line was not read as an item. */
export function warnOfUnitRow(warnings: Warnings, row: Row | undefined): void {
  const shown = (row?.cells ?? []).filter((cell) => cell.trim() !== '').join('; ');
  warnings.once(
    'unit_row',
    `Unter der Kopfzeile steht eine Zeile mit Einheiten („${shown.slice(0, 100)}“). Sie wurde nicht als Artikel gelesen. Falls sie einer ist, geben Sie unter „Zeilen überspringen“ an, wie viele Zeilen über der Kopfzeile stehen (0 für keine), und importieren Sie erneut.`,
  );
}
