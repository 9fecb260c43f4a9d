import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { ownText, duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import { type OutputFormat, outputKinds } from '#shared/exports/schema.ts';
import { serializedItems, wholeText, type OutputColumn } from './cells.ts';
import { holdsControls } from './control-bytes.ts';
import type { Serializer } from './copy.ts';
import { cellsOf, csvSerializer } from '#feed/stages/output/formats/csv.ts';
import { type Encoded, encodeFile } from './encoding/encode.ts';
import { equalKeyWarnings } from './encoding/equal-keys.ts';
import { GrowingFile } from './growing-file.ts';
import { jsonShape } from '#feed/stages/output/formats/json-paths.ts';
import { jsonSerializer } from '#feed/stages/output/formats/json.ts';
import { cutWarning, requireSheetFits } from '#feed/stages/output/formats/xlsx-limits.ts';
import { packWorkbook, sheetSerializer } from '#feed/stages/output/formats/xlsx.ts';
import { clashingFields, xmlSerializer } from '#feed/stages/output/formats/xml.ts';

/** `warnings`: German sentences about what the file could not hold. */
export type Written = Encoded & { bytes: number; etag: string; warnings: string[] };

/**
 * A run's items (Parquet with a column each) to be written. `id` and `updated` identify an Atom feed and its version: the export,
 * and when its catalogue last changed.
 */
export type OutputSource = {
  parquet: string;
  items: number;
  columns: readonly OutputColumn[];
  title: string;
  id: string;
  updated: Date;
};

function serializerOf(source: OutputSource, format: OutputFormat): Serializer {
  const serialized = (() => {
    switch (format.kind) {
      case 'csv':
        return csvSerializer(source.columns, format);
      case 'xml':
        return xmlSerializer(source.columns, format, source);
      case 'xlsx':
        return sheetSerializer(source.columns, format);
      case 'json':
      case 'jsonl':
        return jsonSerializer(source.columns, format);
    }
  })();
  return format.encoding === 'utf-8-bom' && isEncoded(format)
    ? { ...serialized, prefix: `\uFEFF${serialized.prefix}` }
    : serialized;
}

/** The file's media type for the HTTP header. */
export function mimeOf(format: OutputFormat): string {
  const { mime } = outputKinds[format.kind];
  if (format.kind === 'xlsx') return mime;
  return `${mime}; charset=${isEncoded(format) ? format.encoding.replace('-bom', '') : 'utf-8'}`;
}

/** Whether the file has a choice of encoding: JSON and workbooks are always UTF-8. */
export const isEncoded = ({ kind }: OutputFormat): boolean => kind === 'csv' || kind === 'xml';

/**
 * Writes the items to `target` (a temporary name; the caller publishes it by renaming). DuckDB builds the text of every item and
 * copies it to the file: fetching columns costs two to three times more (docs/decisions/0003).
 * @throws KontorError 422 if the file kind cannot hold that many items or columns
 */
export async function writeOutput(
  duckdb: DuckDb,
  source: OutputSource,
  format: OutputFormat,
  target: string,
  signal?: AbortSignal,
): Promise<Written> {
  if (format.kind === 'xlsx') requireSheetFits(source.items, cellsOf(source.columns).length, format.header);
  const serialized = serializerOf(source, format);
  const recode = isEncoded(format) && format.encoding !== 'utf-8' && format.encoding !== 'utf-8-bom';
  const raw = recode || format.kind === 'xlsx' ? `${target}.utf8.tmp` : target;
  try {
    const write = () => writeLines(duckdb, source, format, serialized, raw, signal);
    const cut = format.kind === 'xlsx' && (await writeWorkbook(raw, target, write, signal));
    if (format.kind !== 'xlsx') await write();
    const encoded = recode ? await encodeFile(raw, target, format, signal) : { replaced: 0, simplified: 0 };
    const { size } = await stat(target);
    const warnings = cut ? await cutWarnings(duckdb, source, format, signal) : nameWarnings(source, format);
    // XML and UTF-16 keep every character.
    if (recode && format.kind === 'csv' && format.encoding !== 'utf-16le')
      warnings.push(...(await equalKeyWarnings(duckdb, source, format, signal)));
    return { bytes: size, etag: await etagOf(duckdb, source, format, signal), ...encoded, warnings };
  } finally {
    if (raw !== target) await rm(raw, { force: true });
  }
}

async function writeWorkbook(
  sheet: string,
  target: string,
  write: () => Promise<void>,
  signal?: AbortSignal,
): Promise<boolean> {
  const file = await GrowingFile.begin(sheet, write);
  try {
    return await packWorkbook(file, target, signal);
  } finally {
    await file.close();
  }
}

/**
 * Texts hardly ever contain control characters, and scanning the file's bytes takes a tenth of testing the items. So the file is
 * written as if there were none, scanned meanwhile, and written again without them if there are some.
 */
async function writeLines(
  duckdb: DuckDb,
  source: OutputSource,
  format: OutputFormat,
  serialized: Serializer,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const copy = (asTheyAre: boolean) => copyLines(duckdb, { ...source, asTheyAre }, format, serialized, target, signal);
  if (format.kind !== 'csv') return copy(false);
  const file = await GrowingFile.begin(target, () => copy(true));
  try {
    const held = await holdsControls(file, signal);
    await file.written;
    if (held) await copy(false);
  } finally {
    await file.close();
  }
}

async function copyLines(
  duckdb: DuckDb,
  source: OutputSource & { asTheyAre: boolean },
  format: OutputFormat,
  serialized: Serializer,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const { prefix, flags, columns, writing, lineEnd, suffix } = serialized;
  if (source.items === 0) {
    await writeFile(target, prefix + suffix.slice(lineEnd.length), { flush: true });
    return;
  }
  // DuckDB accepts a prefix only with a suffix, neither empty; without both it ends the last line itself.
  const around = prefix === '' ? duck`` : duck`, PREFIX ${ownText(prefix)}, SUFFIX ${ownText(suffix)}`;
  const items = serializedItems(source.parquet, source.columns, format, source.asTheyAre);
  const flagged = flags === undefined ? items : duck`(SELECT *, ${flags} FROM ${items})`;
  const copy = duck`COPY (SELECT ${columns} FROM ${flagged})
    TO ${ownText(target)} (FORMAT csv, USE_TMP_FILE false, HEADER false, NEW_LINE ${ownText(lineEnd)}, ${writing}${around})`;
  await duckdb.all(statement(copy), signal);
}

async function cutWarnings(
  duckdb: DuckDb,
  { parquet, columns }: OutputSource,
  format: OutputFormat,
  signal?: AbortSignal,
): Promise<string[]> {
  const cut = await cutWarning(duckdb, parquet, columns, (column) => wholeText(column, format), signal);
  return cut === undefined ? [] : [cut];
}

function nameWarnings(source: OutputSource, format: OutputFormat): string[] {
  return format.kind === 'xml' ? elementWarnings(source, format) : pathWarnings(source, format);
}

function elementWarnings(source: OutputSource, format: OutputFormat): string[] {
  const clashes = clashingFields(source.columns, format, source).map(
    ({ element, fields }) => `${fields.map((field) => `„${field}“`).join(', ')} (<${element}>)`,
  );
  if (clashes.length === 0) return [];
  return [
    `Felder mit verschiedenen Namen stehen unter demselben Element in der Datei, weil XML manche Zeichen in Namen nicht erlaubt; der Kanal kann sie nicht unterscheiden: ${clashes.join('; ')}. Bitte geben Sie ihnen im Feldaufbau Namen, die sich in Buchstaben oder Ziffern unterscheiden.`,
  ];
}

function pathWarnings({ columns }: OutputSource, format: OutputFormat): string[] {
  if ((format.kind !== 'json' && format.kind !== 'jsonl') || !format.nested) return [];
  const { refused } = jsonShape(columns, true);
  if (refused.length === 0) return [];
  const names = refused.map((name) => `„${name}“`).join(', ');
  return [
    `Diese Feldnamen lassen sich nicht als Pfad lesen oder widersprechen einem Feld davor; sie stehen unter ihrem ganzen Namen in der Datei: ${names}.`,
  ];
}

/**
 * Identifies a file by its inputs: the format and, from the stored row hashes, the items in order. Reading the file again to hash
 * its bytes would cost half as much as writing it.
 */
async function etagOf(
  duckdb: DuckDb,
  source: OutputSource,
  format: OutputFormat,
  signal?: AbortSignal,
): Promise<string> {
  const sum = duck`SELECT CAST(bit_xor(hash(_hash, _id, file_row_number)) AS VARCHAR) AS h FROM read_parquet(${storedFile(source.parquet)}, file_row_number = true)`;
  const [row] = await duckdb.all(statement(sum), signal);
  const atom = format.kind === 'xml' && format.style === 'atom';
  const made = JSON.stringify([
    format,
    source.title,
    source.items,
    source.columns,
    row?.['h'] ?? '',
    spellings,
    ...(atom ? [source.id, source.updated] : []),
  ]);
  return createHash('sha256').update(made).digest('base64url').slice(0, 32);
}

/** To be raised when equal items in an equal format are written differently than before, so that no cache keeps the old file. */
const spellings = 7;
