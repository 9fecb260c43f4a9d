import fs from 'node:fs';
import path from 'node:path';
import type { KeyCandidate } from '#shared/import/schema.ts';
import type { NamedColumn } from './columns.ts';
import { keyLikeNames, keyProposals } from './key.ts';
import type { RejectedRows } from './rejects.ts';
import { literal, type ImportSession } from './session.ts';
import type { CsvPart } from './staging.ts';

/** Finds the physical lines of rows by ordinals from 0, ascending over all calls. */
export type LineFinder = { of(ordinals: readonly number[]): Promise<number[]>; close(): Promise<void> };

/** Clean CSV parts with facts about their rows. */
export type RowSource = {
  parts: readonly CsvPart[];
  /** Number of rows as counted by our own parser. */
  rows(): Promise<number>;
  /** Compares what DuckDB wrote with our own parsing; throws CountMismatch. */
  verify?(output: string): Promise<void>;
  /** First rows by column index, cells may be cut. */
  sample: readonly string[][];
  lines(): LineFinder;
};

export type SnapshotJob = {
  session: ImportSession;
  source: RowSource;
  columns: readonly NamedColumn[];
  /** Column index; null: row numbers; undefined: propose. */
  key: number | null | undefined;
  output: string;
  workFolder: string;
  rejects: RejectedRows;
};

export type SnapshotOutcome = { key: number | null; candidates: KeyCandidate[]; accepted: number };

/** DuckDB read another number of rows than our own parser counted: its result must not be used. */
export class CountMismatch extends Error {}

function readPart(part: CsvPart, columns: readonly NamedColumn[]): string {
  const names = Array.from({ length: part.columns }, (_, index) => `'${columns[index]?.id ?? `x${index}`}': 'VARCHAR'`);
  const cells = part.numbered ? ["'_row': 'VARCHAR'", ...names] : names;
  const longest = Math.max(2_097_152, part.longest + 1024);
  const options = [
    literal(part.path),
    "auto_detect = false, header = false, strict_mode = true, null_padding = false, compression = 'none'",
    `skip = ${part.skip}`,
    `delim = ${literal(part.delimiter)}, quote = ${literal(part.quote)}, escape = ${literal(part.quote)}`,
    `max_line_size = ${longest}, buffer_size = ${Math.max(32_000_000, longest * 2)}`,
    // Without it DuckDB takes the first CR or LF of the file for the line end, even inside quotes; with it, `skip` loses all rows
    // (1.5.5). Our own parts always begin with data; a merchant's file begins with a header line.
    ...(part.numbered ? ["new_line = '\\n'"] : []),
    `columns = {${cells.join(', ')}}`,
  ];
  return `read_csv(${options.join(', ')})`;
}

function inIdOrder(columns: readonly NamedColumn[]): NamedColumn[] {
  return columns.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
}

function selectParts(source: RowSource, columns: readonly NamedColumn[], key: number | null): string {
  const ordered = inIdOrder(columns).map((column) => ({ id: column.id, index: columns.indexOf(column) }));
  const selects = source.parts.map((part) => {
    const rowNumber = part.numbered ? '_row' : 'CAST(row_number() OVER () AS VARCHAR)';
    const id = key === null ? rowNumber : key < part.columns ? columns[key]?.id : 'CAST(NULL AS VARCHAR)';
    const cells = ordered.map((c) => (c.index < part.columns ? c.id : `CAST(NULL AS VARCHAR) AS ${c.id}`));
    return `SELECT ${[`${id} AS _id`, ...cells].join(', ')} FROM ${readPart(part, columns)}`;
  });
  const empty = ['CAST(NULL AS VARCHAR) AS _id', ...ordered.map((c) => `CAST(NULL AS VARCHAR) AS ${c.id}`)];
  return selects.length > 0 ? selects.join(' UNION ALL ') : `SELECT ${empty.join(', ')} WHERE false`;
}

function hashOf(columns: readonly NamedColumn[]): string {
  const ids = inIdOrder(columns).map((column) => column.id);
  return ids.length > 0 ? `hash(${ids.join(', ')})` : 'CAST(0 AS UBIGINT)';
}

async function copyParts(job: SnapshotJob, key: number | null): Promise<void> {
  const select = `SELECT *, ${hashOf(job.columns)} AS _hash FROM (${selectParts(job.source, job.columns, key)})`;
  await copy(job.session, select, job.output);
  const written = await countRows(job.session, job.output);
  const counted = await job.source.rows();
  if (written !== counted) throw new CountMismatch(`${written} rows read, ${counted} counted`);
  await job.source.verify?.(job.output);
}

/** USE_TMP_FILE false: nobody reads the file yet, and DuckDB would leave its temporary file behind when interrupted. */
async function copy(session: ImportSession, select: string, output: string): Promise<void> {
  await session.run(
    `COPY (${select}) TO ${literal(output)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${session.rowGroup}, USE_TMP_FILE false)`,
  );
}

async function countRows(session: ImportSession, output: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) FROM read_parquet(${literal(output)})`);
  return Number(row?.[0] ?? 0);
}

async function candidate(job: SnapshotJob, index: number): Promise<KeyCandidate> {
  const column = job.columns[index];
  const id = column?.id ?? '_id';
  const [row] = await job.session.rows(
    `SELECT count(*) FILTER (WHERE NOT regexp_full_match(${id}, '\\s*')), count(DISTINCT ${id}) FROM read_parquet(${literal(job.output)})`,
  );
  const filled = Number(row?.[0] ?? 0);
  const distinct = Number(row?.[1] ?? 0);
  const rows = await job.source.rows();
  const unique = filled === rows && distinct === rows;
  return { field: column?.name ?? '', filled, distinct, unique };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

type Loser = { row: readonly unknown[]; line: number; keyName: string };

function reportDroppedRow(rejects: RejectedRows, { row, line, keyName }: Loser): void {
  const raw = textOf(row[3]);
  if (row[1]) {
    rejects.reject(line, `Das Schlüsselfeld „${keyName}“ ist leer.`, raw);
    return;
  }
  const reason = `Doppelte Artikelnummer „${textOf(row[2]).slice(0, 200)}“; eine spätere Zeile ersetzt sie`;
  rejects.add({ kind: 'duplicate', line, reason, raw });
}

/** Removes rows without a key and all but the last row of a key; both are listed as rejected. Returns the rows kept. */
async function removeDroppedRows(job: SnapshotJob, key: number, keyName: string): Promise<number> {
  const staged = path.join(job.workFolder, 'staged.parquet');
  fs.renameSync(job.output, staged);
  const from = `read_parquet(${literal(staged)}, file_row_number = true)`;
  await job.session.run(
    `CREATE OR REPLACE TEMP TABLE losers AS SELECT file_row_number AS n, blank FROM (
       SELECT file_row_number, coalesce(regexp_full_match(_id, '\\s*'), true) AS blank,
         row_number() OVER (PARTITION BY _id ORDER BY file_row_number DESC) AS copy FROM ${from})
     WHERE blank OR copy > 1 ORDER BY n`,
  );
  const cells = job.columns.map((column) => `coalesce(${column.id}, '')`).join(', ');
  const answer = job.session.pieces(
    `SELECT l.n, l.blank, p._id, left(concat_ws(';', ${cells}), 10000) FROM losers l JOIN ${from} p ON p.file_row_number = l.n ORDER BY l.n`,
  );
  const finder = job.source.lines();
  try {
    for await (const rows of answer) {
      const lines = await finder.of(rows.map((row) => Number(row[0])));
      rows.forEach((row, index) => reportDroppedRow(job.rejects, { row, line: lines[index] ?? 0, keyName }));
    }
  } finally {
    await finder.close();
  }
  // A join would return the rows in the order its threads finish; the bit string keeps the order and needs one bit per row.
  await job.session.run(
    `SET VARIABLE losers = (SELECT bitstring_agg(CAST(n AS INTEGER), 0, ${await job.source.rows()}) FROM losers)`,
  );
  await copy(
    job.session,
    `SELECT * EXCLUDE (file_row_number) FROM ${from}
      WHERE coalesce(get_bit(getvariable('losers'), CAST(file_row_number AS INTEGER)), 0) = 0`,
    job.output,
  );
  fs.rmSync(staged);
  return countRows(job.session, job.output);
}

/**
 * Writes the snapshot file from clean CSV parts: `_id`, the fields in the order of their ids, `_hash`. The file is written with
 * the first proposed key, which is then checked over all rows; if it fails, the next proposal or row numbers follow.
 */
export async function writeSnapshot(job: SnapshotJob): Promise<SnapshotOutcome> {
  if (typeof job.key === 'number') {
    await copyParts(job, job.key);
    const checked = await candidate(job, job.key);
    const accepted = checked.unique ? await job.source.rows() : await removeDroppedRows(job, job.key, checked.field);
    return { key: job.key, candidates: [checked], accepted };
  }
  const proposals = job.key === null ? [] : keyProposals(job.columns, job.source.sample);
  const first = proposals[0] ?? null;
  await copyParts(job, first);
  const candidates: KeyCandidate[] = [];
  for (const index of proposals.slice(0, 8)) {
    const checked = await candidate(job, index);
    candidates.push(checked);
    if (!checked.unique) continue;
    if (index !== first) await copyParts(job, index);
    return { key: index, candidates, accepted: await job.source.rows() };
  }
  if (first !== null) await copyParts(job, null);
  if (job.key === undefined) {
    for (const index of keyLikeNames(job.columns)) {
      if (!proposals.includes(index)) candidates.push(await candidate(job, index));
    }
  }
  return { key: null, candidates, accepted: await job.source.rows() };
}
