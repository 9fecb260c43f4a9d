import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FacetCache } from '#catalogue/facets/facet-cache.ts';
import { itemFacet } from '#catalogue/facets/item-facet.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { type Case, idOf, run, type Side, snapshot, timed } from './measure.ts';
import { snapshotOf } from './prepare.ts';

/** Nearly unique texts, few values, and numbers: the three hard cases of a facet. */
const columns = ['Titel', 'Marke', 'Preis'];
/** Filters that a user may set on other fields. */
const filters: Readonly<Record<string, object>> = {
  Farbe: { mode: 'is_not_empty' },
  Geschlecht: { mode: 'is_empty' },
};

type Looks = { duckdb: DuckDb; folder: string; items: number; facets: FacetCache; filtered: string };

function looks({ duckdb, folder, items, facets, filtered }: Looks): Promise<unknown> {
  const source = { path: snapshotOf(folder), snapshot: snapshot(folder, items) };
  return columns.reduce<Promise<unknown>>(async (before, column) => {
    await before;
    const filter = JSON.stringify([{ field: idOf(folder, filtered), ...filters[filtered] }]);
    const query = { field: idOf(folder, column), filter };
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

/** Removes the key files next to the snapshot, which the first facet leaves for later ones. */
function removeKeys(folder: string): void {
  for (const file of readdirSync(folder)) if (file.endsWith('.keys')) rmSync(join(folder, file));
}

/** A second facet with this filter, after a first one. */
const second =
  (filtered: string): Side =>
  async (folder, items) => {
    const facets = new FacetCache();
    const duckdb = await DuckDb.open({ folder });
    await looks({ duckdb, folder, items, facets, filtered: 'Farbe' });
    const begin = performance.now();
    await looks({ duckdb, folder, items, facets, filtered });
    return performance.now() - begin;
  };

export const facetCases: Record<string, Case> = {
  facet: {
    title: 'Facetten, erster Blick (3 Spalten)',
    goal: 6,
    baseline: 'GROUP BY derselben Spalten',
    ours: timed((duckdb, folder, items) => {
      removeKeys(folder);
      return looks({ duckdb, folder, items, facets: new FacetCache(), filtered: 'Farbe' });
    }),
    bare,
  },
  facetNewFilter: {
    title: '  mit einem neuen Filter',
    goal: 3,
    mostMs: 900,
    baseline: 'GROUP BY derselben Spalten',
    ours: second('Geschlecht'),
    bare,
  },
  facetAgain: {
    title: '  derselbe Blick noch einmal',
    goal: 1,
    mostMs: 300,
    baseline: 'GROUP BY derselben Spalten',
    ours: second('Farbe'),
    bare,
  },
};
