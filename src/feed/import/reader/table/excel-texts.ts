type Row = { cells: readonly string[] };

const mostNames = 20;

/** Returns the text of a formula that is only a text, `="001"`: exports write it so that Excel does not make it a number. */
export function textOfFormula(cell: string): string | undefined {
  if (!cell.includes('="')) return undefined;
  const formula = cell.trim();
  if (formula.length < 3 || !formula.startsWith('="') || !formula.endsWith('"')) return undefined;
  const text = formula.slice(2, -1);
  return text.replaceAll('""', '').includes('"') ? undefined : text.replaceAll('""', '"');
}

export const plainText = (cell: string): string => textOfFormula(cell) ?? cell;

export const holdsExcelText = ({ cells }: Row): boolean => cells.some((cell) => textOfFormula(cell) !== undefined);

/** Returns the columns in which most filled cells are such formulas. */
export function excelTextColumns(records: readonly Row[]): ReadonlySet<number> {
  const formulas = new Map<number, number>();
  for (const { cells } of records)
    cells.forEach((cell, column) => {
      if (textOfFormula(cell) !== undefined) formulas.set(column, (formulas.get(column) ?? 0) + 1);
    });
  const isMost = ([column, count]: readonly [number, number]) =>
    count * 2 > records.filter(({ cells }) => (cells[column] ?? '').trim() !== '').length;
  return new Set([...formulas].filter(isMost).map(([column]) => column));
}

/** Returns the warning that names the columns of which only the text was imported. */
export function excelTextsText(columns: ReadonlySet<number>, headers: readonly string[]): string {
  const names = [...columns]
    .toSorted((one, other) => one - other)
    .map((column) => `„${headers[column]?.trim() || `Spalte ${column + 1}`}“`);
  const more = names.length > mostNames ? ` und ${names.length - mostNames} weiteren` : '';
  const where = names.length === 1 ? 'der Spalte' : 'den Spalten';
  return `In ${where} ${names.slice(0, mostNames).join(', ')}${more} stehen die Werte als Formeln für Excel (="001"). Übernommen wurde nur der Text darin (001). Falls die Formel selbst gemeint ist, liefern Sie die Datei bitte als .xlsx.`;
}
