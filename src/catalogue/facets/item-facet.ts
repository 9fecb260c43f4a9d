import { readSelection, selectedItems } from '#catalogue/grid.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, name, ownText } from '#platform/duckdb/sql.ts';
import type { Facet } from '#shared/items/facets.ts';
import { readFacet } from './facet.ts';
import type { FacetCache } from './facet-cache.ts';

type FacetQuery = { field: string; search?: string | undefined; filter?: string | undefined };

const numeric = new Set<SnapshotRecord['fields'][number]['guess'] | undefined>(['number', 'price', 'integer']);

/** Whether the texts of a field are numbers. */
export const isNumeric = (guess: SnapshotRecord['fields'][number]['guess'] | undefined): boolean => numeric.has(guess);

/**
 * What stands in a field of the items that the search and the filters on other fields select. Those on the field itself do not count, so
 * that a facet goes on showing what else could be chosen. @throws 422 for a field that the catalogue does not have
 */
export function itemFacet(
  { duckdb, facets }: { duckdb: DuckDb; facets: FacetCache },
  { path, snapshot }: { path: string; snapshot: SnapshotRecord },
  { field, ...query }: FacetQuery,
  signal: AbortSignal,
): Promise<Facet> {
  const asked = readSelection({ ...query, sort: field, direction: 'asc' }, snapshot);
  const selection = { search: asked.search, filters: asked.filters.filter((filter) => filter.field !== field) };
  const { company, masterid, number, runid } = snapshot;
  const key = JSON.stringify([company, masterid, number, runid, field, selection]);
  return facets.ask(key, async () => {
    const chosen = selectedItems(path, snapshot, selection);
    const items = duck`
      SELECT file_row_number AS r, ${name(field)} AS v, ${chosen === undefined ? duck`true` : duck`coalesce(${chosen}, false)`} AS chosen
      FROM read_parquet(${ownText(path)}, file_row_number = true)`;
    const guess = snapshot.fields.find(({ id }) => id === field)?.guess;
    const session = await duckdb.session();
    try {
      return await readFacet(session, { items, numeric: isNumeric(guess) }, signal);
    } finally {
      session.close();
    }
  });
}
