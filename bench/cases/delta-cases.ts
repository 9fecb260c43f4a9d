import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareSnapshots } from '#feed/difference/difference.ts';
import { validatedItems } from '#feed/plan/validated-items.ts';
import { isItemwise, touchedItems, writeChanges, writeTouched } from '#feed/export/incremental-items.ts';
import { writeOutput } from '#feed/stages/output/write.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { writeItems, writeRun } from '#feed/export/write-run.ts';
import { stateFile, type PublishedBaseline } from '#feed/export/published-baseline.ts';
import type { OutputRecord } from '#feed/stages/output/store.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { StockFields } from '#shared/exports/stock-fields.ts';
import { stockItems, writeStock } from '#feed/export/stock-job.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { ROW_GROUP } from '#platform/duckdb/parquet.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { type Case, fields, idOf, run, scratch, snapshot, timed } from './measure.ts';
import { snapshotOf } from './prepare.ts';
import { manyRules } from './rules.ts';

const format = OutputFormat.parse({ kind: 'csv' });

/** Thirty fields, with stock and price under names that channels use, after a handful of rules. */
function planOf(folder: string, items: number, path: string): ExportPlan {
  const renamed: Readonly<Record<string, string>> = { Artikelnummer: 'id', Bestand: 'quantity', Preis: 'price' };
  const chosen = fields(folder)
    .slice(0, 30)
    .map(({ name }) => name);
  const names = [...new Set([...Object.keys(renamed), ...chosen])].slice(0, 30);
  const construction = names.map((name, index) =>
    ConstructionRow.parse({
      id: `row${index}`,
      exportfield: renamed[name] ?? name,
      valuetype: 'field',
      field: [{ type: '_field', value: name, caption: name }],
    }),
  );
  return {
    snapshot: snapshot(folder, items),
    path,
    masterRules: manyRules(30),
    mappings: [],
    exportRules: [],
    tables: noTables,
    construction,
    attributes: [],
    template: undefined,
  };
}

/** The catalogue a day later, in row groups as an import writes them: every hundredth item has another price. */
const laterOf = (folder: string) => join(folder, 'later.parquet');
async function prepareLater(duckdb: DuckDb, folder: string): Promise<void> {
  if (existsSync(laterOf(folder))) return;
  const price = idOf(folder, 'Preis');
  const changed = `file_row_number % 100 = 7`;
  await run(
    duckdb,
    `COPY (SELECT * EXCLUDE (file_row_number) REPLACE (CASE WHEN ${changed} THEN '4711,00' ELSE ${price} END AS ${price},
      CASE WHEN ${changed} THEN hash(_hash) ELSE _hash END AS _hash)
      FROM read_parquet('${snapshotOf(folder)}', file_row_number = true)) TO '${laterOf(folder)}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`,
  );
}
/** Returns a path for a run's files, in a folder of their own. */
const temporaryIn = (folder: string, mark: string) => {
  mkdirSync(join(folder, 'delta'), { recursive: true });
  return (ending: string) => scratch(folder, `delta/${mark}.${ending}`);
};

const place = { company: 'bench', id: 'bench' };
const stateOf = (folder: string) => storagePathsIn(folder).output(place.company, place.id, 1, 'parquet');

/** Writes the channel's last run, of the catalogue before the change. */
async function prepareState(duckdb: DuckDb, folder: string, items: number): Promise<void> {
  if (existsSync(stateOf(folder))) return;
  mkdirSync(storagePathsIn(folder).runFolder(place.company, place.id), { recursive: true });
  const constructed = validatedItems(planOf(folder, items, snapshotOf(folder)), format);
  await writeRun(duckdb, constructed, stateOf(folder));
}

/** Only number and header of the published record are read. */
function acceptedOf(folder: string, items: number): PublishedBaseline {
  const header = validatedItems(planOf(folder, items, snapshotOf(folder)), format).columns.map(({ name }) => name);
  const output: OutputRecord = {
    number: 1,
    runid: '',
    name: '',
    bytes: 0,
    items,
    etag: '',
    mime: '',
    sidecars: { ending: 'csv', header },
    whole: true,
    base: null,
    createdAt: new Date(0),
    fetches: 0,
    lastFetchedAt: null,
  };
  return { output, whole: output, narrow: [] };
}

async function wholeRun(duckdb: DuckDb, folder: string, items: number, mark: string): Promise<void> {
  const temporary = temporaryIn(folder, mark);
  const constructed = validatedItems(planOf(folder, items, laterOf(folder)), format);
  const parquet = join(folder, `delta/${mark}.parquet`);
  const signal = new AbortController().signal;
  const written = await writeItems(duckdb, { constructed, temporary, made: [], signal }, false);
  const source = {
    parquet,
    items: written.items,
    columns: constructed.columns,
    title: '',
    id: 'bench',
    updated: new Date(0),
  };
  await writeOutput(duckdb, source, format, scratch(folder, `delta/${mark}.csv`));
}

/** As delta-run.ts does if only the catalogue is new. */
async function deltaRun(duckdb: DuckDb, folder: string, items: number): Promise<void> {
  const signal = new AbortController().signal;
  const plan = planOf(folder, items, laterOf(folder));
  if (!isItemwise(plan, validatedItems(plan, format), false)) throw new Error('the bench plan looks around');
  const touched = scratch(folder, 'delta/touched.parquet');
  await writeTouched(duckdb, { before: { ...plan, path: snapshotOf(folder) }, after: plan }, touched);
  const within = temporaryIn(folder, 'neu');
  const constructed = touchedItems(plan, touched, format);
  await writeItems(duckdb, { constructed, temporary: within, made: [], signal }, false);
  const [before, after] = [scratch(folder, 'delta/alt.parquet'), join(folder, 'delta/neu.parquet')];
  await stateFile({ duckdb, storagePaths: storagePathsIn(folder) }, place, acceptedOf(folder, items), {
    target: before,
    only: touched,
    columns: [],
  });
  const { changed } = await compareSnapshots(duckdb, before, after);
  const { columns } = validatedItems(plan, format);
  const target = scratch(folder, 'delta/aenderungen.parquet');
  const count = await writeChanges(duckdb, { before, after, removed: before }, { columns, zero: undefined, target });
  if (count !== changed || changed < items / 200) throw new Error(`${changed} changed, ${count} written`);
  const source = { parquet: target, items: count, columns, title: '', id: 'bench', updated: new Date(0) };
  await writeOutput(duckdb, source, format, scratch(folder, 'delta/aenderungen.csv'));
}

/** Preparing the later snapshot is not timed. */
const prepared =
  (work: (duckdb: DuckDb, folder: string, items: number) => Promise<void>): Case['ours'] =>
  async (folder, items) => {
    const spent = await timed(async (duckdb, _folder, count) => {
      mkdirSync(join(folder, 'delta'), { recursive: true });
      await prepareLater(duckdb, folder);
      await prepareState(duckdb, folder, count);
    })(folder, items);
    return spent < 0 ? spent : timed(work)(folder, items);
  };

const side = (path: string) => `(SELECT _id, _hash FROM read_parquet('${path}'))`;
export const deltaCases: Record<string, Case> = {
  delta: {
    title: 'Nur Änderungen, 1 % geändert',
    goal: 0.08,
    baseline: 'ganzer Lauf',
    ours: prepared(deltaRun),
    bare: prepared((duckdb, folder, items) => wholeRun(duckdb, folder, items, 'ganz')),
  },
  stock: {
    title: 'Bestand und Preis allein',
    goal: 0.5,
    baseline: 'ganzer Lauf',
    ours: prepared(async (duckdb, folder, items) => {
      const few = stockItems(planOf(folder, items, laterOf(folder)), StockFields.parse({}));
      const parquet = scratch(folder, 'delta/stock.parquet');
      const written = await writeStock(duckdb, few, { only: snapshotOf(folder), target: parquet });
      const source = { parquet, items: written, columns: few.columns, title: '', id: 'bench', updated: new Date(0) };
      await writeOutput(duckdb, source, format, scratch(folder, 'delta/stock.csv'));
    }),
    bare: prepared((duckdb, folder, items) => wholeRun(duckdb, folder, items, 'ganz')),
  },
  difference: {
    title: 'Vergleich zweier Stände',
    goal: 2,
    baseline: 'bloßer Join der Zeilen-Hashes',
    ours: prepared(async (duckdb, folder) => {
      await compareSnapshots(duckdb, snapshotOf(folder), laterOf(folder));
    }),
    bare: prepared(async (duckdb, folder) => {
      await run(
        duckdb,
        `SELECT count(*) FROM ${side(snapshotOf(folder))} b JOIN ${side(laterOf(folder))} a ON a._id = b._id WHERE a._hash <> b._hash`,
      );
    }),
  },
};
