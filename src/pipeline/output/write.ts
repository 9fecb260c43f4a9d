import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
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
    return { bytes: size, etag: await hashOf(target), replaced };
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
  if (source.items === 0) {
    await writeFile(target, spelling.prefix + spelling.suffix.replace(/^\n/, ''), { flush: true });
    return;
  }
  // The calculator knows a prefix only beside a suffix and neither empty; without both it ends the last line itself.
  const around =
    spelling.prefix === '' ? sql`` : sql`, PREFIX ${ownText(spelling.prefix)}, SUFFIX ${ownText(spelling.suffix)}`;
  // No quote, no escape, and a delimiter that never parts anything: each line leaves exactly as it was built.
  const copy = sql`COPY (SELECT ${spelling.item} AS line FROM read_parquet(${ownText(source.parquet)}, file_row_number = true))
    TO ${ownText(target)} (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01'${around})`;
  await duck.all(statement(copy), signal);
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('base64url').slice(0, 32);
}
