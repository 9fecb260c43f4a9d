import { FacetCache } from '#catalogue/facets/facet-cache.ts';
import { itemFacet } from '#catalogue/facets/item-facet.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { type Case, idOf, run, type Side, snapshot, timed } from './measure.ts';
import { snapshotOf } from './prepare.ts';

/** Texts that hardly occur twice, few values, and numbers: what a facet finds hard in three ways. */
const columns = ['Titel', 'Marke', 'Preis'];
/** What somebody may click in one of them. */
const filter = (folder: string) => JSON.stringify([{ field: idOf(folder, 'Farbe'), mode: 'is_not_empty' }]);

function looks(duckdb: DuckDb, folder: string, items: number, facets: FacetCache): Promise<unknown> {
  const source = { path: snapshotOf(folder), snapshot: snapshot(folder, items) };
  return columns.reduce<Promise<unknown>>(async (before, column) => {
    await before;
    const query = { field: idOf(folder, column), filter: filter(folder) };
    return itemFacet({ duckdb, facets }, source, query, new AbortController().signal);
  }, Promise.resolve());
}

const bare: Side = timed(async (duckdb, folder) => {
  for (const column of columns) {
    await run(
      duckdb,
      `SELECT ${idOf(folder, column)} AS v, count(*) AS n FROM read_parquet('${snapshotOf(folder)}')
       WHERE trim(${idOf(folder, 'Farbe')}) <> '' GROUP BY v ORDER BY n DESC LIMIT 50`,
    );
  }
});

export const facetCases: Record<string, Case> = {
  facet: {
    title: 'Facetten, erster Blick (3 Spalten)',
    goal: 6,
    baseline: 'GROUP BY derselben Spalten',
    ours: timed((duckdb, folder, items) => looks(duckdb, folder, items, new FacetCache())),
    bare,
  },
  facetAgain: {
    title: 'Facetten, jeder weitere Blick',
    goal: 1,
    mostMs: 300,
    baseline: 'GROUP BY derselben Spalten',
    ours: async (folder, items) => {
      const facets = new FacetCache();
      const duckdb = await DuckDb.open({ folder });
      await looks(duckdb, folder, items, facets);
      const begin = performance.now();
      await looks(duckdb, folder, items, facets);
      return performance.now() - begin;
    },
    bare,
  },
};
