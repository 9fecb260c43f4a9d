import { mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { ROW, withSteps } from '#engine/duckdb/relation.ts';
import { loadDifference } from '#feed/difference/settings.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { KontorError } from '#platform/errors.ts';
import { defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import type { Job, JobContext, JobEnd } from '#platform/jobs/job.ts';
import { retryScheduled } from '#platform/jobs/retries.ts';
import { PARQUET } from '#platform/duckdb/parquet.ts';
import { join, name, ownText, duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import type { DifferenceSettings } from '#shared/difference/schema.ts';
import { outputKinds } from '#shared/exports/schema.ts';
import type { StockFields } from '#shared/exports/stock-fields.ts';
import { findAnomalies } from '#feed/difference/release-check.ts';
import { loadPlan, type LoadedPlan } from '#feed/plan/load-plan.ts';
import { isQuantityPrice, quantityPriceColumns } from '#feed/stages/output/quantity-price.ts';
import { liveOutput, type OutputRecord } from '#feed/stages/output/store.ts';
import { mimeOf, writeOutput } from '#feed/stages/output/write.ts';
import { demand } from '#feed/plan/demand.ts';
import { type Pipelined, build } from '#feed/plan/build.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { exportSubject } from '#feed/runs/runs.ts';
import { releasedPlan } from './released-plan.ts';

type Attempted = Pick<Job, 'company' | 'id' | 'fence'>;
type StockDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };
/** `before`: name of the stock and price file that is served until this run is done. */
type Loaded = LoadedPlan & { live: OutputRecord; settings: DifferenceSettings; before: string | undefined };

export const stockJob = defineJob({
  kind: 'stock',
  payload: z.object({ owner: z.string(), by: z.string().optional(), scheduled: z.boolean().default(false) }),
  pool: 'prices',
  retry: retryScheduled,
});

/**
 * Feed type 3 between two export runs: item number, stock and price of the items in the served file, computed from the current
 * snapshot. Nothing else is computed, so it can run every few minutes.
 */
export function stockRunner(deps: StockDeps): JobRunner {
  return jobRunner(stockJob, async (job, context) => {
    const { owner: id } = job.payload;
    const load = async (trx: Trx) => {
      const live = await liveOutput(trx, job.company, id);
      const { settings } = await loadDifference(trx, job.company, exportSubject(id));
      const before = await servedStock(trx, { company: job.company, id });
      return { ...(await loadPlan(trx, deps.storagePaths, job.company, id)), live, settings, before };
    };
    const loaded = await releasedPlan(() => deps.database.company(job.company, load), context.signal);
    const { live } = loaded;
    if (!live) throw refusal('Es gibt noch keine Datei dieses Exports. Bitte starten Sie zuerst den Export.');
    return await makeStock(deps, job, { ...loaded, live }, context);
  });
}

async function makeStock(
  { database, duckdb, storagePaths }: StockDeps,
  job: Attempted,
  loaded: Loaded,
  context: JobContext,
): Promise<JobEnd> {
  const { company } = job;
  const { record, plan, live } = loaded;
  const { format } = record.settings;
  const { extension } = outputKinds[format.kind];
  const ending = `stock-${job.id}.${extension}`;
  const target = storagePaths.output(company, record.id, live.number, ending);
  const folder = storagePaths.runFolder(company, record.id);
  const [parquet, file] = [temporaryName(job, `${target}.parquet`), temporaryName(job, target)];
  const removeFiles = async () => {
    for (const made of [parquet, file]) await rm(made, { force: true });
  };
  try {
    await mkdir(folder, { recursive: true });
    context.progress({ done: 0, total: live.items, phase: 'Bestand und Preis' });
    const before = storagePaths.output(company, record.id, live.number, 'parquet');
    const few = stockItems(plan, record.settings.stockFields);
    if (few.columns.length === 0) throw refusal(noColumns);
    const items = await writeStock(duckdb, few, { only: before, target: parquet }, context.signal);
    const after = { path: parquet, items, columns: few.columns, format };
    const reasons = await findAnomalies(duckdb, { record: live, path: before }, after, loaded.settings, context.signal);
    if (reasons.length > 0) throw refusal(`${reasons.join(' ')} ${heldBack}`);
    const source = { parquet, items, columns: few.columns, title: record.settings.name, id: record.id };
    const dated = { ...source, updated: plan.snapshot.createdAt };
    const written = await writeOutput(duckdb, dated, format, file, context.signal);
    return {
      state: 'done',
      result: { rowsIn: plan.snapshot.items, accepted: items, snapshot: plan.snapshot.number },
      files: [{ temporary: file, final: target }],
      effect: async (trx) => {
        const stock = {
          number: live.number,
          bytes: written.bytes,
          etag: written.etag,
          ending,
          mime: mimeOf(format),
          items,
        };
        await keepStock(trx, { company, id: record.id, runid: job.id }, stock);
      },
      after: async () => {
        await removeFiles();
        const served = await database.company(company, (trx) => servedStock(trx, record));
        await removeOld(storagePaths, folder, [served, loaded.before]);
      },
    };
  } catch (error) {
    await removeFiles();
    throw error;
  }
}

/** The items with only the feed's columns; what only other columns need is not computed. */
export function stockItems(plan: ExportPlan, named: StockFields): Pipelined {
  const few = { ...plan, only: (field: string) => isQuantityPrice(field, named) };
  const built = build(few, demand(few));
  return { ...built, columns: quantityPriceColumns(built.columns, named) };
}

/** Writes those of the items that are in the served file; items that file left out stay out. */
export async function writeStock(
  duckdb: DuckDb,
  { statements, relation, columns }: Pipelined,
  { only, target }: { only: string; target: string },
  signal?: AbortSignal,
): Promise<number> {
  const values = columns.map((column) => name(column.column));
  const list = join([duck`id AS _id`, ...values, duck`hash(${join(values, duck`, `)}) AS _hash`], duck`, `);
  const isIncluded = duck`id IN (SELECT _id FROM read_parquet(${storedFile(only)}))`;
  // The IN condition becomes a join, which returns items in any order.
  const body = duck`SELECT ${list} FROM ${name(relation.from)} WHERE ${isIncluded} ORDER BY ${ROW}`;
  const copy = duck`COPY (${withSteps(relation, body)}) TO ${ownText(target)} ${PARQUET}`;
  const [written] = await duckdb.last([...statements, statement(copy)], signal);
  return Number(written?.['Count'] ?? 0);
}

type StockFile = { number: number; bytes: number; etag: string; ending: string; mime: string; items: number };

async function keepStock(
  trx: Trx,
  { company, id, runid }: { company: string; id: string; runid: string },
  { number, bytes, etag, ending, mime, items }: StockFile,
): Promise<void> {
  const file = { number, runid, bytes, items, etag, mime, ending };
  await trx
    .insertInto('stock_files')
    .values({ company, export: id, ...file })
    .onConflict((conflict) =>
      conflict.columns(['company', 'export']).doUpdateSet((eb) => ({ ...file, created_at: eb.fn<Date>('now') })),
    )
    .execute();
}

/** The newest stock and price file made for an output; undefined if there is none. */
export async function stockOf(
  trx: Trx,
  ref: { company: string; id: string; number: number },
): Promise<{ ending: string; etag: string; bytes: number; mime: string; createdAt: Date } | undefined> {
  const { company, id, number } = ref;
  return trx
    .selectFrom('stock_files')
    .select(['ending', 'etag', 'bytes', 'mime', 'created_at as createdAt'])
    .where((eb) => eb.and({ company, export: id, number }))
    .executeTakeFirst();
}

/** Name of the stock and price file that an export's row refers to; undefined before the first one. */
async function servedStock(trx: Trx, { company, id }: { company: string; id: string }): Promise<string | undefined> {
  const row = await trx
    .selectFrom('stock_files')
    .select(['number', 'ending'])
    .where((eb) => eb.and({ company, export: id }))
    .executeTakeFirst();
  return row && `${row.number}.${row.ending}`;
}

/** Removes stock and price files except those in `keep`: the served one, and the one before, which a client may be reading. */
async function removeOld(
  { store }: StoragePaths,
  folder: string,
  keep: readonly (string | undefined)[],
): Promise<void> {
  const paths = (await store.list(folder)).map(({ path }) => path);
  const isOld = (name: string) => /^\d+\.stock-\w+\.\w+$/.test(name) && !keep.includes(name);
  await store.remove(paths.filter((path) => isOld(basename(path))));
}

const refusal = (message: string) => new KontorError(422, 'no_stock', message);
const noColumns =
  'Der Export hat keine Felder für Artikelnummer und für Bestand oder Preis; „Bestand und Preis“ braucht sie. Nennen Sie die Felder auf der Seite des Exports unter „Abruf“, Feed-Typ 3.';
const heldBack =
  'Die neue Datei mit Bestand und Preis wird zurückgehalten, die bisherige weiter ausgeliefert. Starten Sie den Export, prüfen Sie dort die Abweichung und geben Sie sie frei, wenn sie gewollt ist.';
