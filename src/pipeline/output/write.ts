import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import type { Duck } from '#platform/duck.ts';
import { ownText, sql, statement } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';
import type { OutputColumn, Spelling } from './cells.ts';
import { csvSpelling } from './csv.ts';
import { encodeFile } from './encode.ts';
import { jsonSpelling } from './json.ts';
import { xmlSpelling } from './xml.ts';

export type Written = { bytes: number; etag: string; replaced: number };

/** A run's items (Parquet with a column each) as they are to be written. */
export type OutputSource = { parquet: string; items: number; columns: readonly OutputColumn[]; title: string };

function spellingOf(source: OutputSource, format: OutputFormat): Spelling {
  const spelling = (() => {
    if (format.kind === 'csv') return csvSpelling(source.columns, format);
    if (format.kind === 'xml') return xmlSpelling(source.columns, format, source.title);
    return jsonSpelling(source.columns, format);
  })();
  return format.encoding === 'utf-8-bom' && format.kind !== 'json' && format.kind !== 'jsonl'
    ? { ...spelling, prefix: `\uFEFF${spelling.prefix}` }
    : spelling;
}

/**
 * Writes the items to `target` (a temporary name; publishing it by rename is the caller's). The text of every item is built
 * inside the calculator and copied to the file as it is: fetching columns costs two to three times more (docs/decisions/0003).
 */
export async function writeOutput(
  duck: Duck,
  source: OutputSource,
  format: OutputFormat,
  target: string,
  signal?: AbortSignal,
): Promise<Written> {
  const spelling = spellingOf(source, format);
  const recode =
    format.kind !== 'json' && format.kind !== 'jsonl' && format.encoding !== 'utf-8' && format.encoding !== 'utf-8-bom';
  const raw = recode ? `${target}.utf8.tmp` : target;
  try {
    await copyLines(duck, source, spelling, raw, signal);
    const { replaced } = recode ? await encodeFile(raw, target, format, signal) : { replaced: 0 };
    const { size } = await stat(target);
    return { bytes: size, etag: await etagOf(duck, source, format, signal), replaced };
  } finally {
    if (recode) await rm(raw, { force: true });
  }
}

async function copyLines(
  duck: Duck,
  source: OutputSource,
  spelling: Spelling,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const { prefix, columns, writing, lineEnd, suffix } = spelling;
  if (source.items === 0) {
    await writeFile(target, prefix + suffix.slice(lineEnd.length), { flush: true });
    return;
  }
  // The calculator knows a prefix only beside a suffix and neither empty; without both it ends the last line itself.
  const around = prefix === '' ? sql`` : sql`, PREFIX ${ownText(prefix)}, SUFFIX ${ownText(suffix)}`;
  const copy = sql`COPY (SELECT ${columns} FROM read_parquet(${ownText(source.parquet)}, file_row_number = true))
    TO ${ownText(target)} (FORMAT csv, HEADER false, NEW_LINE ${ownText(lineEnd)}, ${writing}${around})`;
  await duck.all(statement(copy), signal);
}

/**
 * Tells a file by what it is made of: the format and, from the rows' stored hashes, the items in their order. Reading the file again
 * to hash its bytes would cost half as much as writing it.
 */
async function etagOf(duck: Duck, source: OutputSource, format: OutputFormat, signal?: AbortSignal): Promise<string> {
  const sum = sql`SELECT CAST(bit_xor(hash(_hash, _id, file_row_number)) AS VARCHAR) AS h FROM read_parquet(${ownText(source.parquet)}, file_row_number = true)`;
  const [row] = await duck.all(statement(sum), signal);
  const made = JSON.stringify([format, source.title, source.items, source.columns, row?.['h'] ?? '']);
  return createHash('sha256').update(made).digest('base64url').slice(0, 32);
}
