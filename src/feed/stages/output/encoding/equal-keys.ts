import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, ownText, duck, statement, storedFile, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { cellText, type OutputColumn } from '#feed/stages/output/cells.ts';
import { plainForms, plainQuotation, quotations, repertoire } from './encode.ts';

/** At most this many values are named. */
const MOST_NAMED = 3;

/** A value that several items have in the file only, and their texts without the encoding. */
type Equal = { shown: string; texts: string[] };

/**
 * Warns of article numbers, and of other values that must differ between items, that differ only in characters which the encoding
 * lacks: in the file they are equal, and the channel takes several items for one.
 */
export async function equalKeyWarnings(
  duckdb: DuckDb,
  { parquet, columns }: { parquet: string; columns: readonly OutputColumn[] },
  format: OutputFormat,
  signal?: AbortSignal,
): Promise<string[]> {
  const unknown = unknownCharacter(format);
  const file = duck`read_parquet(${storedFile(parquet)})`;
  const keys = await keyColumns(
    duckdb,
    file,
    columns.filter(({ list, empty }) => !list && !empty),
    { format, unknown, signal },
  );
  const warnings: string[] = [];
  for (const column of keys) {
    const texts = duck`(SELECT ${cellText(column, format)} AS t FROM ${file})`;
    const { count, equal } = await equalValues(duckdb, texts, { format, unknown, signal });
    if (count > 0) warnings.push(warningOf(column.name, count, equal));
  }
  return warnings;
}

type How = { format: OutputFormat; unknown: Sql; signal: AbortSignal | undefined };

/** Columns in which each item must have its own value: the channel's template says so, or they hold the items' own keys. */
async function keyColumns(
  duckdb: DuckDb,
  file: Sql,
  columns: readonly OutputColumn[],
  { format, unknown, signal }: How,
): Promise<OutputColumn[]> {
  const unique = columns.filter(({ field }) => field?.unique === true);
  const strange = duck`SELECT 1 FROM ${file} WHERE regexp_matches(_id, ${unknown}) LIMIT 1`;
  // In most files no key has such a character: then the other columns are not read.
  if (columns.length === 0 || (await duckdb.all(statement(strange), signal)).length === 0) return unique;
  const same = columns.map((column) => duck`bool_and(${cellText(column, format)} IS NOT DISTINCT FROM _id)`);
  const [row] = await duckdb.all(
    statement(duck`SELECT [${join(same, duck`, `)}] AS same FROM ${file} WHERE regexp_matches(_id, ${unknown})`),
    signal,
  );
  const holdsKeys: readonly unknown[] = Array.isArray(row?.['same']) ? row['same'] : [];
  return columns.filter((column, index) => unique.includes(column) || holdsKeys[index] === true);
}

/** Finds different texts that the encoding makes equal. Few texts change at all, so only these are grouped. */
async function equalValues(
  duckdb: DuckDb,
  texts: Sql,
  { format, unknown, signal }: How,
): Promise<{ count: number; equal: Equal[] }> {
  const changed = duck`SELECT DISTINCT t, ${encodedText(name('t'), format, unknown)} AS e FROM ${texts} WHERE regexp_matches(t, ${unknown})`;
  const body = duck`WITH changed AS MATERIALIZED (${changed}),
      shown AS (SELECT t, e FROM changed
        UNION SELECT t, t FROM ${texts} WHERE NOT regexp_matches(t, ${unknown}) AND t IN (SELECT e FROM changed))
    SELECT e, list(t ORDER BY t)[1:${ownNumber(MOST_NAMED)}] AS texts, count(*) OVER () AS n FROM shown
    WHERE e <> '' GROUP BY e HAVING count(*) > 1 ORDER BY e LIMIT ${ownNumber(MOST_NAMED)}`;
  const rows = await duckdb.all(statement(body), signal);
  const equal = rows.map(({ e, texts: own }) => ({
    shown: String(e),
    texts: Array.isArray(own) ? own.map(String) : [],
  }));
  return { count: Number(rows[0]?.['n'] ?? 0), equal };
}

/** A pattern of one character that the encoding lacks. */
function unknownCharacter({ encoding }: OutputFormat): Sql {
  const known = Array.from(
    repertoire(encoding),
    (character) => `\\x{${character.codePointAt(0)?.toString(16) ?? '0'}}`,
  );
  return ownText(`[^${known.join('')}]`);
}

/** The text as `encodeFile` writes it; a test compares both. */
function encodedText(text: Sql, { encoding, quote }: OutputFormat, unknown: Sql): Sql {
  const known = repertoire(encoding);
  const one = duck`CASE WHEN regexp_matches(nfc_normalize(l), ${unknown}) THEN l ELSE nfc_normalize(l) END`;
  const letters = duck`regexp_extract_all(${text}, ${ownText(String.raw`\P{M}\p{M}*|\p{M}`)})`;
  const composed = duck`CASE WHEN regexp_matches(${text}, ${ownText(String.raw`\p{M}`)})
    THEN array_to_string(list_transform(${letters}, lambda l: ${one}), '') ELSE ${text} END`;
  const forms = [...plainForms, ...Array.from(quotations, (mark) => [mark, plainQuotation(quote)] as const)];
  const plain = forms
    .filter(([character]) => !known.has(character))
    .reduce((made, [character, form]) => duck`replace(${made}, ${ownText(character)}, ${ownText(form)})`, composed);
  return duck`regexp_replace(${plain}, ${unknown}, '?', 'g')`;
}

function warningOf(field: string, count: number, equal: readonly Equal[]): string {
  const named = equal.map(({ shown, texts }) => `„${shown}“ (aus ${texts.map((text) => `„${text}“`).join(' und ')})`);
  const more = count > equal.length ? ` und ${integerText(count - equal.length)} weitere` : '';
  const values = count === 1 ? 'einen Wert' : `${integerText(count)} Werte`;
  return `Verschiedene Artikel haben in „${field}“ denselben Wert, weil dem gewählten Zeichensatz Zeichen fehlen. Das betrifft ${values}: ${named.join(', ')}${more}. Der Kanal hält solche Artikel für einen einzigen. Bitte wählen Sie in den Einstellungen des Exports UTF-8, oder ändern Sie die Werte im Katalog.`;
}
