import { join, name, duck, statement, type Statement, storedFile } from '#platform/duckdb/sql.ts';
import type { SnapshotRecord } from './snapshots.ts';
import { titleField } from '#catalogue/titles/title-field.ts';

/** Shorter texts are searched for in item numbers only: too many titles contain them. */
const TITLE_LETTERS = 3;

/** `exact`: the text equals the item number. */
export type FoundItem = { id: string; title: string | null; exact: boolean };

/**
 * Finds a few items whose number equals the text, begins with it, or whose title contains it, in that order, ignoring case. The
 * search stops as soon as there are enough.
 */
export function findItems(
  { path, snapshot }: { path: string; snapshot: SnapshotRecord },
  text: string,
  limit: number,
): { statement: Statement; read: (rows: readonly Record<string, unknown>[]) => FoundItem[] } {
  const named = titleField(snapshot.fields);
  const titled = snapshot.fields.find((field) => field.name === named);
  const title = titled === undefined ? duck`CAST(NULL AS VARCHAR)` : name(titled.id);
  // Lower-cased by DuckDB like the items' texts: JavaScript makes two letters of 'İ'.
  const lowered = duck`lower(${text})`;
  const byWhole = duck`lower("_id") = ${lowered}`;
  const byNumber = duck`starts_with(lower("_id"), ${lowered})`;
  const byTitle = duck`contains(lower(${title}), ${lowered})`;
  const from = duck`FROM read_parquet(${storedFile(path)})`;
  const part = (rank: number, where: typeof from) =>
    duck`(SELECT ${rank} AS rank, "_id" AS id, ${title} AS title ${from} WHERE ${where} LIMIT ${limit})`;
  const parts = [part(0, byWhole), part(1, duck`${byNumber} AND NOT ${byWhole}`)];
  if (titled !== undefined && Array.from(text).length >= TITLE_LETTERS)
    parts.push(part(2, duck`${byTitle} AND NOT ${byNumber}`));
  return {
    statement: statement(
      duck`SELECT rank, id, title FROM (${join(parts, duck` UNION ALL `)}) ORDER BY rank, length(id), id LIMIT ${limit}`,
    ),
    read: (rows) =>
      rows.map((row) => ({
        id: String(row['id']),
        title: typeof row['title'] === 'string' ? row['title'] : null,
        exact: Number(row['rank']) === 0,
      })),
  };
}
