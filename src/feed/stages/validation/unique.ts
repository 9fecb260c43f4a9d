import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, ownNumber, ownText, duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import type { Problem } from './problem.ts';
import type { Unique } from './stage.ts';

/**
 * Finds values that several items share in the written file, and writes the rows that have one to `target`, with a bit for each
 * field. undefined: there are none, and no file. `column` is the number of the mask column for these bits.
 */
export async function findTwice(
  duckdb: DuckDb,
  unique: readonly Unique[],
  { path, column, target }: { path: string; column: number; target: string },
  signal?: AbortSignal,
): Promise<Problem[] | undefined> {
  const file = duck`read_parquet(${storedFile(path)}, file_row_number = true)`;
  const found: { text: Unique['text']; problem: Problem }[] = [];
  for (const { text, problem } of unique) {
    if (await hasTwice(duckdb, file, text, signal))
      found.push({ text, problem: { ...problem, column, bit: found.length } });
  }
  if (found.length === 0) return undefined;
  const rows = found.map(
    ({
      text,
      problem,
    }) => duck`SELECT file_row_number AS row, ${ownNumber(2 ** problem.bit)}::UBIGINT AS bit FROM ${file}
      WHERE ${text} IN (SELECT ${text} FROM ${file} WHERE ${text} <> '' GROUP BY 1 HAVING count(*) > 1)`,
  );
  const body = duck`SELECT row, bit_or(bit) AS bits FROM (${join(rows, duck` UNION ALL `)}) GROUP BY row ORDER BY row`;
  await duckdb.all(statement(duck`COPY (${body}) TO ${ownText(target)} (FORMAT parquet)`), signal);
  return found.map(({ problem }) => problem);
}

/** Counts hashes instead of texts; a field that equals the item's number is not counted at all. */
async function hasTwice(
  duckdb: DuckDb,
  file: Unique['text'],
  text: Unique['text'],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [own] = await duckdb.all(
    statement(duck`SELECT count_if(${text} IS DISTINCT FROM _id) AS n FROM ${file}`),
    signal,
  );
  if (Number(own?.['n'] ?? 0) === 0) return false;
  const [row] = await duckdb.all(
    statement(duck`SELECT count(*) > count(DISTINCT hash(${text})) AS twice FROM ${file} WHERE ${text} <> ''`),
    signal,
  );
  return row?.['twice'] === true;
}
