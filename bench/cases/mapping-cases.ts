import { listValue } from '@duckdb/node-api';
import { assign, type AssignRow } from '#engine/duckdb/assign.ts';
import { withSteps } from '#engine/duckdb/relation.ts';
import { quotedPattern } from '#engine/ir/text.ts';
import { Suggester } from '#feed/suggestions/suggest.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join as joinSql, name, ownText, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import { type Case, idOf, relationOf, run, type Side, timed } from './measure.ts';
import { snapshotOf } from './prepare.ts';

/** Values that occur in the catalogue's titles, and many that do not. */
const words = ['bohr', 'schrauber', 'jacke', 'messer', 'kabel', 'tee', 'lasur', 'matte', 'schuh', 'lampe'];
const contained = Array.from({ length: 500 }, (_, index) =>
  index % 50 === 0 ? (words[index / 50] ?? '') : `wort${index}x`,
);
const equal = Array.from({ length: 20_000 }, (_, index) => `marke ${index}`);

const titleRows: AssignRow[] = contained.map((value, index) => ({
  conditions: [{ source: { from: 'field', field: 'Titel' }, kind: 'contains', negated: false, value }],
  outputs: [`Ziel ${index}`],
}));
const brandRows: AssignRow[] = equal.map((value, index) => ({
  conditions: [{ source: { from: 'field', field: 'Marke' }, kind: 'equals', negated: false, value }],
  outputs: [`Ziel ${index}`],
}));

const ours = timed((duckdb, folder) => {
  const mapped = assign(assign(relationOf(folder), titleRows, ['A']), brandRows, ['B']);
  const columns = ['A', 'B'].map((key) => name(mapped.columns.get(key) ?? ''));
  const counts = joinSql(
    columns.map((column) => duck`count(${column})`),
    duck`, `,
  );
  return duckdb.all(statement(withSteps(mapped, duck`SELECT ${counts} FROM ${name(mapped.from)}`)));
});

/** The best known solution by hand: one alternation as a filter before the CASE, and a hash join on the lower-cased value. */
const byHand = timed((duckdb, folder) => {
  const title = name(idOf(folder, 'Titel'));
  const brand = name(idOf(folder, 'Marke'));
  const pattern = contained.map(quotedPattern).join('|');
  const cases: Sql[] = contained.map((value, index) => duck` WHEN contains(t, ${value}) THEN ${`Ziel ${index}`}`);
  const from = duck`read_parquet(${ownText(snapshotOf(folder))})`;
  return duckdb.all(
    statement(duck`WITH k AS MATERIALIZED (SELECT unnest(${listValue(equal)}) AS v, unnest(${listValue(equal)}) AS z),
      i AS NOT MATERIALIZED (SELECT lower(${title}) AS t, lower(${brand}) AS b FROM ${from})
      SELECT count(CASE WHEN regexp_matches(t, ${pattern}) THEN CASE${joinSql(cases, duck``)} END END), count(k.z)
      FROM i LEFT JOIN k ON b = k.v`),
  );
});

const targets = Array.from({ length: 10_000 }, (_, index) => ({
  id: String(index),
  name: `Bereich ${index % 20} > Gruppe ${index % 400} > ${words[index % words.length]} ${['Akku', 'Holz', 'Stahl', 'Kinder'][index % 4]} ${index}`,
  info: '',
}));
/** Suggests for 5,000 values of the catalogue among 10,000 categories; compared with 5,000 x 10,000 plain text comparisons. */
const suggestions: Side = async (folder) => {
  const values = await someTitles(folder);
  const begin = performance.now();
  const suggester = new Suggester(targets, []);
  for (const value of values) suggester.suggest({ value });
  return performance.now() - begin;
};
const comparisons: Side = async (folder) => {
  const values = await someTitles(folder);
  const lowered = targets.map((target) => target.name.toLowerCase());
  const begin = performance.now();
  let found = 0;
  for (const value of values) for (const target of lowered) if (target.includes(value)) found += 1;
  if (found < 0) throw new Error('never');
  return performance.now() - begin;
};

async function someTitles(folder: string): Promise<string[]> {
  const duckdb = await DuckDb.open({ folder });
  const rows = await run(
    duckdb,
    `SELECT ${idOf(folder, 'Titel')} AS v FROM read_parquet('${snapshotOf(folder)}') LIMIT 5000`,
  );
  duckdb.close();
  return rows.map(({ v }) => String(v));
}

export const mappingCases: Record<string, Case> = {
  mappings: {
    title: '500 Zeilen + 20.000 Gleichheiten',
    goal: 1.1,
    baseline: 'bestes SQL von Hand',
    ours,
    bare: byHand,
  },
  suggestions: {
    title: '5.000 Werte, 10.000 Kategorien',
    goal: 10,
    baseline: 'jeden Namen nach jedem Wert durchsuchen (Ziel: höchstens 5 s)',
    ours: suggestions,
    bare: comparisons,
  },
};
