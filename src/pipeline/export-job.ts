import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { outputKinds } from '#shared/exports.ts';
import type { ExportRecord } from '#items/exports.ts';
import { compareSnapshots } from '#items/difference.ts';
import type { Places } from '#items/places.ts';
import { inOrder, withSteps } from '#engine/relation.ts';
import type { Database } from '#platform/db.ts';
import type { Duck } from '#platform/duck.ts';
import { KontorError } from '#platform/errors.ts';
import { publish } from '#platform/files.ts';
import type { Job, JobContext, JobEnd, JobHandler } from '#platform/jobs.ts';
import { join, name, ownText, sql, statement } from '#platform/sql.ts';
import type { Constructed } from './construction/stage.ts';
import { incompleteRows } from '#shared/construction.ts';
import { loadPlan, type LoadedPlan } from './export-plan.ts';
import { quantityPriceColumns } from './output/quantity-price.ts';
import { liveOutput, nextOutputNumber, publishOutput, type Companions, type OutputRecord } from './output/store.ts';
import { writeOutput, type OutputSource } from './output/write.ts';
import { exportPipeline, type Pipelined } from './pipeline.ts';

export type ExportParts = { database: Database; duck: Duck; places: Places };

const Payload = z.object({ owner: z.string() });

/** Items become the channel's file. The last good file is served until the new one is complete (I3). */
export function exportJob(parts: ExportParts): JobHandler {
  return async (job, context) => {
    const { owner: id } = Payload.parse(JSON.parse(job.payload));
    try {
      const loaded = await parts.database.company(job.company, async (trx) => ({
        ...(await loadPlan(trx, parts.places, job.company, id)),
        before: await liveOutput(trx, job.company, id),
        number: await nextOutputNumber(trx, job.company, id),
      }));
      return await build(parts, job, loaded, context);
    } catch (error) {
      if (!(error instanceof KontorError) || context.signal.aborted) throw error;
      return { state: 'failed', message: error.message };
    }
  };
}

type Loaded = LoadedPlan & { before: OutputRecord | undefined; number: number };

async function build(parts: ExportParts, job: Job, loaded: Loaded, context: JobContext): Promise<JobEnd> {
  const { company } = job;
  const { record, plan, number } = loaded;
  const constructed = exportPipeline(plan);
  const place = (ending: string) => parts.places.output(company, record.id, number, ending);
  await mkdir(dirname(place('parquet')), { recursive: true });
  const temporary = (ending: string) => `${place(ending)}.${job.id}.tmp`;
  const made: string[] = [];
  const clear = async () => {
    for (const file of made) await rm(file, { force: true });
  };
  try {
    context.progress({ done: 0, total: plan.snapshot.items, phase: 'Regeln und Feldaufbau' });
    made.push(temporary('parquet'));
    const items = await writeRun(parts.duck, constructed, temporary('parquet'), context.signal);
    context.progress({ done: items, total: items, phase: 'Datei schreiben' });
    const outputs = await writeFiles(
      parts.duck,
      loaded,
      { constructed, items, parquet: temporary('parquet'), temporary, made },
      context.signal,
    );
    const difference = await compare(parts, company, record, loaded.before, temporary('parquet'));
    return {
      state: 'done',
      result: {
        rowsIn: plan.snapshot.items,
        accepted: items,
        rejected: plan.snapshot.items - items,
        snapshot: plan.snapshot.number,
        difference,
        warnings: warningsOf(loaded, constructed, outputs.replaced, items),
        revisions: loaded.revisions,
      },
      effect: async (trx) => {
        for (const file of made) await publish(file, file.slice(0, -`.${job.id}.tmp`.length));
        await publishOutput(trx, { company, id: record.id }, { number, runid: job.id, items, ...outputs.output });
      },
      after: clear,
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

async function writeRun(
  duck: Duck,
  { statements, relation, columns }: Pipelined,
  target: string,
  signal: AbortSignal,
): Promise<number> {
  const values = columns.map((column) => name(column.column));
  const hash = values.length === 0 ? sql`0::UBIGINT` : sql`hash(${join(values, sql`, `)})`;
  const chosen = join([sql`id AS _id`, ...values, sql`${hash} AS _hash`], sql`, `);
  const body = sql`SELECT ${chosen} FROM ${name(relation.from)}${inOrder(relation)}`;
  const copy = sql`COPY (${withSteps(relation, body)}) TO ${ownText(target)} (FORMAT parquet, COMPRESSION zstd)`;
  const [written] = await duck.last([...statements, statement(copy)], signal);
  return Number(written?.['Count'] ?? 0);
}

type Files = {
  constructed: Constructed;
  items: number;
  parquet: string;
  temporary: (ending: string) => string;
  made: string[];
};

async function writeFiles(duck: Duck, { record }: Loaded, files: Files, signal: AbortSignal) {
  const { format, name: title, filename } = record.settings;
  const { extension, mime } = outputKinds[format.kind];
  const source: OutputSource = {
    parquet: files.parquet,
    items: files.items,
    columns: files.constructed.columns,
    title,
  };
  files.made.push(files.temporary(extension));
  const main = await writeOutput(duck, source, format, files.temporary(extension), signal);
  const companions: Companions = { ending: extension };
  const few = quantityPriceColumns(files.constructed.columns);
  if (few.length > 0) {
    const ending = `quantityprice.${extension}`;
    files.made.push(files.temporary(ending));
    const written = await writeOutput(duck, { ...source, columns: few }, format, files.temporary(ending), signal);
    companions.quantityprice = { bytes: written.bytes, etag: written.etag, ending };
  }
  const charset = format.kind === 'json' || format.kind === 'jsonl' ? 'utf-8' : format.encoding.replace('-bom', '');
  return {
    replaced: main.replaced,
    output: { name: filename, bytes: main.bytes, etag: main.etag, mime: `${mime}; charset=${charset}`, companions },
  };
}

/** Against the output served until now; by item number, as the channel sees it. */
async function compare(
  parts: ExportParts,
  company: string,
  record: ExportRecord,
  before: OutputRecord | undefined,
  parquet: string,
) {
  if (!before) return null;
  return compareSnapshots(parts.duck, parts.places.output(company, record.id, before.number, 'parquet'), parquet);
}

function warningsOf({ plan }: Loaded, { columns }: Constructed, replaced: number, items: number): string[] {
  const warnings: string[] = [];
  if (plan.construction.length === 0)
    warnings.push('Der Feldaufbau ist leer: alle Felder werden unter ihrem eigenen Namen ausgegeben.');
  const { rowIds } = incompleteRows(plan.construction);
  if (rowIds.length > 0) {
    const names = plan.construction
      .filter((row) => rowIds.includes(row.id))
      .map((row) => row.exportfield || '(ohne Namen)');
    warnings.push(`Pflichtfelder ohne Quelle: ${names.join(', ')}.`);
  }
  if (columns.length === 0) warnings.push('Der Export hat keine Felder.');
  if (items === 0)
    warnings.push('Der Export enthält keine Artikel: die Regeln schließen alle aus, oder der Katalog ist leer.');
  if (replaced > 0)
    warnings.push(
      `${replaced} Zeichen gibt es im gewählten Zeichensatz nicht; sie stehen als „?“ in der Datei. Mit UTF-8 geht nichts verloren.`,
    );
  return warnings;
}
