import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { marksOf, readSelection, selectedItems } from '#catalogue/selection/item-selection.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import type { DuckDb, DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { duck, name, ownText, type Sql, statement, storedFile } from '#platform/duckdb/sql.ts';
import type { Facet } from '#shared/items/facets.ts';
import { readFacet, textKey } from './facet.ts';
import type { FacetCache } from './facet-cache.ts';

type FacetQuery = { field: string; search?: string | undefined; filter?: string | undefined };

const numeric = new Set<SnapshotRecord['fields'][number]['guess'] | undefined>(['number', 'price', 'integer']);

/** Whether the texts of a field are numbers. */
export const isNumeric = (guess: SnapshotRecord['fields'][number]['guess'] | undefined): boolean => numeric.has(guess);

/**
 * Returns the facet of a field over the items that match the search and the filters on other fields. Filters on the field itself
 * do not count, so that the facet still shows the values that could be chosen instead. @throws 422 for a field that the catalogue
 * does not have
 */
export function itemFacet(
  { duckdb, facets }: { duckdb: DuckDb; facets: FacetCache },
  { path, snapshot }: { path: string; snapshot: SnapshotRecord },
  { field, ...query }: FacetQuery,
  signal: AbortSignal,
): Promise<Facet> {
  const requested = readSelection({ ...query, sort: field, direction: 'asc' }, snapshot);
  const selection = { search: requested.search, filters: requested.filters.filter((filter) => filter.field !== field) };
  const { company, masterid, number, runid } = snapshot;
  const key = JSON.stringify([company, masterid, number, runid, field, selection]);
  return facets.ask(key, async () => {
    const chosen = selectedItems(path, snapshot, selection);
    const numbered = duck`read_parquet(${storedFile(path)}, file_row_number = true)`;
    const texts = duck`SELECT file_row_number AS r, ${name(field)} AS v FROM ${numbered}`;
    const guess = snapshot.fields.find(({ id }) => id === field)?.guess;
    return duckdb.inSession(async (session) => {
      const storedKeys = duck`read_parquet(${storedFile(await keptKeys(session, { path, field, texts }, signal))})`;
      const keys =
        chosen === undefined
          ? duck`SELECT *, true AS chosen FROM ${storedKeys}`
          : duck`SELECT kept.*, selected.r IS NOT NULL AS chosen FROM ${storedKeys} kept
              LEFT JOIN (SELECT file_row_number AS r FROM ${numbered} WHERE ${chosen}) selected USING (r)`;
      return await readFacet(
        session,
        { texts, keys, numeric: isNumeric(guess), groups: marksOf(snapshot, field) },
        signal,
      );
    }, signal);
  });
}

type KeySource = { path: string; field: string; texts: Sql };

/**
 * Returns a file next to the snapshot with the hashes of a field's texts, and writes it if missing. Later facets read it instead
 * of the texts, which may be gigabytes of descriptions. Its name contains the snapshot's number, and it is deleted with the
 * snapshot.
 */
async function keptKeys(session: DuckDbSession, { path, field, texts }: KeySource, signal: AbortSignal) {
  const file = `${path.slice(0, -'.parquet'.length)}.${field}.keys`;
  if (existsSync(file)) return file;
  // Two facets may be computed at once: each writes a file of its own, and the last rename wins.
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    // The snapshot itself may be in a bucket; files made from it are on this machine.
    await mkdir(dirname(file), { recursive: true });
    await session.all(
      statement(
        duck`COPY (SELECT r::INT AS r, ${textKey(name('v'))} FROM (${texts})) TO ${ownText(temporary)} (FORMAT parquet)`,
      ),
      signal,
    );
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return file;
}
