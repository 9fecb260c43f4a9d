import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { heldBy } from '#catalogue/releases.ts';
import { notFound } from '#platform/errors.ts';
import type { HeldBack } from '#shared/difference/schema.ts';

/** A published output of an export. `ending`: the file's own; companions are further files of the same run by their feed type. */
export type OutputRecord = {
  number: number;
  runid: string;
  name: string;
  bytes: number;
  items: number;
  etag: string;
  mime: string;
  sidecars: Sidecars;
  /** false: only what changed against the output `base`; `items` counts the whole state all the same. */
  whole: boolean;
  base: number | null;
  createdAt: Date;
  fetches: number;
  lastFetchedAt: Date | null;
};

const Sidecars = z.object({
  ending: z.string(),
  /** Names of the fields in their order; files of before it was kept know none. */
  header: z.array(z.string()).optional(),
  quantityprice: z.object({ bytes: z.number(), etag: z.string(), ending: z.string() }).optional(),
  /** Of a file of changes: how many items are in it, and whether the run looked at changed items alone. */
  delta: z.object({ items: z.number(), narrow: z.boolean() }).optional(),
});
export type Sidecars = z.infer<typeof Sidecars>;

type OutputRow = {
  number: number;
  runid: string;
  name: string;
  bytes: number;
  items: number;
  etag: string;
  mime: string;
  companions: string;
  whole: boolean;
  base: number | null;
  created_at: Date;
  fetches: number;
  last_fetched_at: Date | null;
};

const columns = pg.raw(
  'f.number, f.runid, f.name, f.bytes, f.items, f.etag, f.mime, f.companions, f.whole, f.base, f.created_at, f.fetches, f.last_fetched_at',
);

const toRecord = (row: OutputRow): OutputRecord => ({
  number: row.number,
  runid: row.runid,
  name: row.name,
  bytes: Number(row.bytes),
  items: Number(row.items),
  etag: row.etag,
  mime: row.mime,
  sidecars: Sidecars.parse(JSON.parse(row.companions)),
  whole: row.whole,
  base: row.base,
  createdAt: row.created_at,
  fetches: row.fetches,
  lastFetchedAt: row.last_fetched_at,
});

/** The output that is served now; undefined before the first finished run. */
export async function liveOutput(trx: Trx, company: string, id: string): Promise<OutputRecord | undefined> {
  const { rows } = await pg<OutputRow>`
    select ${columns}
    from exports e join export_files f on f.company = e.company and f.export = e.id and f.number = e.live_file
    where e.company = ${company} and e.id = ${id}`.execute(trx);
  return rows[0] && toRecord(rows[0]);
}

/** The state that the channel has by the last accepted run: changes handed over since, or else what is served. */
export async function publishedBaseline(trx: Trx, company: string, id: string): Promise<OutputRecord | undefined> {
  const { rows } = await pg<OutputRow>`
    select ${columns} from exports e
    join export_files f on f.company = e.company and f.export = e.id and f.number = coalesce(e.delta_file, e.live_file)
    where e.company = ${company} and e.id = ${id}`.execute(trx);
  return rows[0] && toRecord(rows[0]);
}

/** The output that a run made; undefined if it made none. */
export async function outputOfRun(
  trx: Trx,
  company: string,
  id: string,
  runid: string,
): Promise<OutputRecord | undefined> {
  const { rows } = await pg<OutputRow>`
    select ${columns} from export_files f
    where f.company = ${company} and f.export = ${id} and f.runid = ${runid}`.execute(trx);
  return rows[0] && toRecord(rows[0]);
}

/** Header of the file that is served now; null if there is none or it did not keep it. */
export async function acceptedHeader(trx: Trx, company: string, id: string): Promise<string[] | null> {
  return (await liveOutput(trx, company, id))?.sidecars.header ?? null;
}

/** A kept output by its number; undefined if there is none. */
export async function outputAt(
  trx: Trx,
  company: string,
  id: string,
  number: number,
): Promise<OutputRecord | undefined> {
  const { rows } = await pg<OutputRow>`
    select ${columns} from export_files f
    where f.company = ${company} and f.export = ${id} and f.number = ${number}`.execute(trx);
  return rows[0] && toRecord(rows[0]);
}

/** The kept outputs of an export, newest first; `live`: the one that is served. */
export async function listOutputs(
  trx: Trx,
  company: string,
  id: string,
): Promise<(OutputRecord & { live: boolean; gone: boolean; held: HeldBack })[]> {
  const { rows } = await pg<OutputRow & { live: boolean | null; gone: boolean; state: string | null }>`
    select ${columns}, f.number = e.live_file as live, f.gone_at is not null as gone, j.state
    from export_files f join exports e on e.company = f.company and e.id = f.export
    left join jobs j on j.company = f.company and j.id = f.runid
    where f.company = ${company} and f.export = ${id} order by f.number desc limit 50`.execute(trx);
  return rows.map((row) => ({ ...toRecord(row), live: row.live === true, gone: row.gone, held: heldBy(row.state) }));
}

/**
 * Serves a kept output from now on; one of changes becomes the state that the channel has, and the whole file stays.
 * @throws 404 if the export has none of this number (any more)
 */
export async function serveOutput(trx: Trx, place: { company: string; id: string; number: number }): Promise<void> {
  const { company, id, number } = place;
  const output = await outputAt(trx, company, id, number);
  const column = output?.whole === false ? pg`delta_file` : pg`live_file`;
  const others = output?.whole === false ? pg`` : pg`, delta_file = null`;
  const served = await pg`update exports set ${column} = ${number}${others}
    where company = ${company} and id = ${id} and exists (select 1 from export_files f
      where f.company = ${company} and f.export = ${id} and f.number = ${number} and f.gone_at is null)`.execute(trx);
  if (served.numAffectedRows !== 1n) throw notFound('Diese Datei');
}

export async function nextOutputNumber(trx: Trx, company: string, id: string): Promise<number> {
  const { rows } = await pg<{ next: number }>`
    select coalesce(max(number), 0) + 1 as next from export_files where company = ${company} and export = ${id}`.execute(
    trx,
  );
  return Number(rows[0]?.next ?? 1);
}

/**
 * Records a finished output and, if it is accepted, serves it from now on; to be run as the effect of the job that wrote it.
 */
export async function publishOutput(
  trx: Trx,
  place: { company: string; id: string },
  output: Omit<OutputRecord, 'createdAt' | 'fetches' | 'lastFetchedAt'>,
  accepted: boolean,
): Promise<void> {
  await pg`insert into export_files (company, export, number, runid, name, bytes, items, etag, mime, companions, whole, base)
    values (${place.company}, ${place.id}, ${output.number}, ${output.runid}, ${output.name}, ${output.bytes}, ${output.items},
      ${output.etag}, ${output.mime}, ${JSON.stringify(output.sidecars)}, ${output.whole}, ${output.base})`.execute(
    trx,
  );
  if (accepted) await serveOutput(trx, { ...place, number: output.number });
}

/** Remembers that a channel came for the file. */
export async function countFetch(trx: Trx, company: string, id: string, number: number): Promise<void> {
  await pg`update export_files set fetches = fetches + 1, last_fetched_at = now()
    where company = ${company} and export = ${id} and number = ${number}`.execute(trx);
}

/** `artikel.csv` becomes `artikel-aenderungen.csv`. */
export const deltaName = (filename: string): string => filename.replace(/(\.[^.]*)?$/, '-aenderungen$1');
