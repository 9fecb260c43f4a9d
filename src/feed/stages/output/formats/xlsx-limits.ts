import { join, ownNumber, ownText, duck, statement, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { unprocessable } from '#platform/errors.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { cellLetters } from '#feed/stages/output/lists.ts';
import type { OutputColumn } from '#feed/stages/output/cells.ts';

/** Limits of an Excel sheet; characters are counted in UTF-16 units. */
export const XLSX = { rows: 1_048_576, columns: 16_384, characters: 32_767 } as const;

const most = ownNumber(XLSX.characters);
/** Number of characters beyond the basic plane, which count twice. */
const beyond = (text: Sql) =>
  duck`length(regexp_replace(${text}, ${ownText(String.raw`[^\x{10000}-\x{10ffff}]+`)}, '', 'g'))`;
/** A text has at least as many bytes as UTF-16 units, and bytes are counted fast. */
const tooLong = (text: Sql) => duck`strlen(${text}) > ${most} AND length(${text}) + ${beyond(text)} > ${most}`;

/** Cuts a text to what a cell of the file kind can hold. If this cuts, the run warns (`cutWarning`). */
export function cellLimit(text: Sql, kind: OutputFormat['kind']): Sql {
  if (kind !== 'xlsx') return text;
  const length = duck`greatest(${most} - ${beyond(text)}, ${ownNumber(Math.floor(XLSX.characters / 2))})`;
  return duck`CASE WHEN ${tooLong(text)} THEN left(${text}, CAST(${length} AS BIGINT)) ELSE ${text} END`;
}

/** Checks that the items fit into a sheet. @throws KontorError 422 */
export function requireSheetFits(items: number, columns: number, header: boolean): void {
  const rows = XLSX.rows - (header ? 1 : 0);
  if (items > rows) {
    throw unprocessable(
      'xlsx_too_many_rows',
      `Eine Excel-Tabelle fasst ${rows.toLocaleString('de-DE')} Artikel, der Export hat ${items.toLocaleString('de-DE')}. Es wurde keine Datei geschrieben. Bitte schließen Sie Artikel per Regel aus oder wählen Sie CSV.`,
    );
  }
  if (columns > XLSX.columns) {
    throw unprocessable(
      'xlsx_too_many_columns',
      `Eine Excel-Tabelle fasst ${XLSX.columns.toLocaleString('de-DE')} Spalten, der Export hat ${columns.toLocaleString('de-DE')}. Es wurde keine Datei geschrieben. Bitte wählen Sie weniger Felder oder CSV.`,
    );
  }
}

/** Says which fields have texts too long for a cell, and in how many items; undefined if none. `textOf`: the whole text. */
export async function cutWarning(
  duckdb: DuckDb,
  parquet: string,
  columns: readonly OutputColumn[],
  textOf: (column: OutputColumn) => Sql,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const count = async (columns: readonly OutputColumn[], test: (column: OutputColumn) => Sql) => {
    if (columns.length === 0) return [];
    const counts = columns.map((column) => duck`count(*) FILTER (${test(column)})::INT`);
    const [row] = await duckdb.all(
      statement(duck`SELECT [${join(counts, duck`, `)}] AS n FROM read_parquet(${storedFile(parquet)})`),
      signal,
    );
    const found: readonly unknown[] = Array.isArray(row?.['n']) ? row['n'] : [];
    return columns.flatMap((column, index) =>
      Number(found[index]) > 0 ? [{ column, items: Number(found[index]) }] : [],
    );
  };
  // Few files have such texts: their bytes are counted first.
  const long = await count(columns, (column) => duck`strlen(${cellLetters(column)}) > ${most}`);
  const cut = await count(
    long.map(({ column }) => column),
    (column) => tooLong(textOf(column)),
  );
  if (cut.length === 0) return undefined;
  const fields = cut
    .map(({ column, items }) => `„${column.name}“ (${items.toLocaleString('de-DE')} Artikel)`)
    .join(', ');
  return `Eine Zelle von Excel fasst ${XLSX.characters.toLocaleString('de-DE')} Zeichen; längere Texte stehen gekürzt in der Datei: ${fields}.`;
}
