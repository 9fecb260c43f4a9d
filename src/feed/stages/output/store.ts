import { z } from 'zod';
import type { InferResult } from 'kysely';
import type { Trx } from '#platform/db/database.ts';
import { heldBy } from '#catalogue/releases.ts';
import { notFound } from '#platform/errors.ts';
import type { HeldBack } from '#shared/difference/schema.ts';
import { numberGroupsSchema } from '#shared/import/schema.ts';

/** A published output of an export. `sidecars` has the main file's ending and further files of the run by feed type. */
export type OutputRecord = {
  number: number;
  runid: string;
  name: string;
  bytes: number;
  items: number;
  etag: string;
  mime: string;
  sidecars: Sidecars;
  /** false: only the changes since the output `base`; `items` still counts the whole state. */
  whole: boolean;
  base: number | null;
  createdAt: Date;
  fetches: number;
  lastFetchedAt: Date | null;
};

const Sidecars = z.object({
  ending: z.string(),
  /** Names of the fields in order; absent in older files. */
  header: z.array(z.string()).optional(),
  /** The result of `thousandsIn` for each field. */
  thousands: z.array(numberGroupsSchema.nullable()).optional(),
  /** How the values are serialized (`spellingOf`). */
  spelling: z.string().optional(),
  quantityprice: z.object({ bytes: z.number(), etag: z.string(), ending: z.string() }).optional(),
  /** For a file of changes: its number of items, and whether the run computed only changed items. */
  delta: z.object({ items: z.number(), narrow: z.boolean() }).optional(),
});
export type Sidecars = z.infer<typeof Sidecars>;

const columns = [
  'f.number',
  'f.runid',
  'f.name',
  'f.bytes',
  'f.items',
  'f.etag',
  'f.mime',
  'f.companions',
  'f.whole',
  'f.base',
  'f.created_at',
  'f.fetches',
  'f.last_fetched_at',
] as const;

/** Stored outputs of an export. */
const outputRows = (trx: Trx, company: string, id: string) =>
  trx
    .selectFrom('export_files as f')
    .innerJoin('exports as e', (join) => join.onRef('e.company', '=', 'f.company').onRef('e.id', '=', 'f.export'))
    .select(columns)
    .where((eb) => eb.and({ 'f.company': company, 'f.export': id }));
type OutputRow = InferResult<ReturnType<typeof outputRows>>[number];

const toRecord = (row: OutputRow): OutputRecord => ({
  number: row.number,
  runid: row.runid,
  name: row.name,
  bytes: row.bytes,
  items: row.items,
  etag: row.etag,
  mime: row.mime,
  sidecars: Sidecars.parse(JSON.parse(row.companions)),
  whole: row.whole,
  base: row.base,
  createdAt: row.created_at,
  fetches: row.fetches,
  lastFetchedAt: row.last_fetched_at,
});

/** The output that is currently served; undefined before the first finished run. */
export async function liveOutput(trx: Trx, company: string, id: string): Promise<OutputRecord | undefined> {
  const row = await outputRows(trx, company, id).whereRef('f.number', '=', 'e.live_file').executeTakeFirst();
  return row && toRecord(row);
}

/** The state that the channel has by the last accepted run: the changes delivered since the served file, or that file. */
export async function publishedBaseline(trx: Trx, company: string, id: string): Promise<OutputRecord | undefined> {
  const row = await outputRows(trx, company, id)
    .where('f.number', '=', (eb) => eb.fn.coalesce('e.delta_file', 'e.live_file'))
    .executeTakeFirst();
  return row && toRecord(row);
}

/**
 * Locks the export until the transaction ends, so that what the channel has stays the same.
 * Returns the number of the last accepted run's output; undefined before the first one.
 */
export async function holdBaseline(trx: Trx, company: string, id: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('exports')
    .select((eb) => eb.fn.coalesce('delta_file', 'live_file').as('number'))
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .executeTakeFirst();
  return row?.number ?? undefined;
}

/** The output that a run made; undefined if it made none. */
export async function outputOfRun(
  trx: Trx,
  company: string,
  id: string,
  runid: string,
): Promise<OutputRecord | undefined> {
  const row = await outputRows(trx, company, id).where('f.runid', '=', runid).executeTakeFirst();
  return row && toRecord(row);
}

/** Header of the file that is currently served; null if there is none or its header was not stored. */
export async function acceptedHeader(trx: Trx, company: string, id: string): Promise<string[] | null> {
  return (await liveOutput(trx, company, id))?.sidecars.header ?? null;
}

/** A stored output by its number; undefined if there is none. */
export async function outputAt(
  trx: Trx,
  company: string,
  id: string,
  number: number,
): Promise<OutputRecord | undefined> {
  const row = await outputRows(trx, company, id).where('f.number', '=', number).executeTakeFirst();
  return row && toRecord(row);
}

/** The stored outputs of an export, newest first; `live`: the one that is served. */
export async function listOutputs(
  trx: Trx,
  company: string,
  id: string,
): Promise<(OutputRecord & { live: boolean; gone: boolean; held: HeldBack })[]> {
  const rows = await outputRows(trx, company, id)
    .leftJoin('jobs as j', (join) => join.onRef('j.company', '=', 'f.company').onRef('j.id', '=', 'f.runid'))
    .select(['f.gone_at', 'e.live_file', 'j.state'])
    .orderBy('f.number', 'desc')
    .limit(50)
    .execute();
  return rows.map((row) => ({
    ...toRecord(row),
    live: row.number === row.live_file,
    gone: row.gone_at !== null,
    held: heldBy(row.state),
  }));
}

/**
 * Serves a stored output. An output of changes becomes the state that the channel has, and the whole file stays served.
 * @throws 404 if the export has no (or no longer an) output of this number
 */
export async function serveOutput(trx: Trx, ref: { company: string; id: string; number: number }): Promise<void> {
  const { company, id, number } = ref;
  // Maintenance holds this lock while it removes old files; only a statement after it sees which ones are gone.
  await holdBaseline(trx, company, id);
  const output = await outputAt(trx, company, id, number);
  const served = await trx
    .updateTable('exports')
    .set(output?.whole === false ? { delta_file: number } : { live_file: number, delta_file: null })
    .where((eb) => eb.and({ company, id }))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('export_files as f')
          .select('f.number')
          .where((file) => file.and({ 'f.company': company, 'f.export': id, 'f.number': number, 'f.gone_at': null })),
      ),
    )
    .executeTakeFirst();
  if (served.numUpdatedRows !== 1n) throw notFound('Diese Datei');
}

export async function nextOutputNumber(trx: Trx, company: string, id: string): Promise<number> {
  const row = await trx
    .selectFrom('export_files')
    .select((eb) => eb.fn.max<number | null>('number').as('newest'))
    .where((eb) => eb.and({ company, export: id }))
    .executeTakeFirst();
  return (row?.newest ?? 0) + 1;
}

/** Records a finished output and, if accepted, serves it; runs as the effect of the job that wrote it. */
export async function publishOutput(
  trx: Trx,
  ref: { company: string; id: string },
  output: Omit<OutputRecord, 'createdAt' | 'fetches' | 'lastFetchedAt'>,
  accepted: boolean,
): Promise<void> {
  const { number, runid, name, bytes, items, etag, mime, sidecars, whole, base } = output;
  const companions = JSON.stringify(sidecars);
  await trx
    .insertInto('export_files')
    .values({
      company: ref.company,
      export: ref.id,
      number,
      runid,
      name,
      bytes,
      items,
      etag,
      mime,
      companions,
      whole,
      base,
    })
    .execute();
  if (accepted) await serveOutput(trx, { ...ref, number: output.number });
}

/** Records that a channel fetched the file. */
export async function countFetch(trx: Trx, company: string, id: string, number: number): Promise<void> {
  await trx
    .updateTable('export_files')
    .set((eb) => ({ fetches: eb('fetches', '+', 1), last_fetched_at: eb.fn<Date>('now') }))
    .where((eb) => eb.and({ company, export: id, number }))
    .execute();
}

/** `artikel.csv` becomes `artikel-aenderungen.csv`. */
export const deltaName = (filename: string): string => filename.replace(/(\.[^.]*)?$/, '-aenderungen$1');
