import { sql } from 'kysely';
import { z } from 'zod';
import type { Trx } from '#platform/db.ts';

/** A published output of an export. `ending`: the file's own; companions are further files of the same run by their feed type. */
export type OutputRecord = {
  number: number;
  runid: string;
  name: string;
  bytes: number;
  items: number;
  etag: string;
  mime: string;
  companions: Companions;
  createdAt: Date;
  fetches: number;
  lastFetchedAt: Date | null;
};

const Companions = z.object({
  ending: z.string(),
  quantityprice: z.object({ bytes: z.number(), etag: z.string(), ending: z.string() }).optional(),
});
export type Companions = z.infer<typeof Companions>;

type OutputRow = {
  number: number;
  runid: string;
  name: string;
  bytes: number;
  items: number;
  etag: string;
  mime: string;
  companions: string;
  created_at: Date;
  fetches: number;
  last_fetched_at: Date | null;
};

const columns = sql.raw(
  'f.number, f.runid, f.name, f.bytes, f.items, f.etag, f.mime, f.companions, f.created_at, f.fetches, f.last_fetched_at',
);

const toRecord = (row: OutputRow): OutputRecord => ({
  number: row.number,
  runid: row.runid,
  name: row.name,
  bytes: Number(row.bytes),
  items: Number(row.items),
  etag: row.etag,
  mime: row.mime,
  companions: Companions.parse(JSON.parse(row.companions)),
  createdAt: row.created_at,
  fetches: row.fetches,
  lastFetchedAt: row.last_fetched_at,
});

/** The output that is served now; undefined before the first finished run. */
export async function liveOutput(trx: Trx, company: string, id: string): Promise<OutputRecord | undefined> {
  const { rows } = await sql<OutputRow>`
    select ${columns}
    from exports e join export_files f on f.company = e.company and f.export = e.id and f.number = e.live_file
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
  const { rows } = await sql<OutputRow>`
    select ${columns} from export_files f
    where f.company = ${company} and f.export = ${id} and f.runid = ${runid}`.execute(trx);
  return rows[0] && toRecord(rows[0]);
}

export async function nextOutputNumber(trx: Trx, company: string, id: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(number), 0) + 1 as next from export_files where company = ${company} and export = ${id}`.execute(
    trx,
  );
  return Number(rows[0]?.next ?? 1);
}

/** Records a finished output and serves it from now on; to be run as the effect of the job that wrote it. */
export async function publishOutput(
  trx: Trx,
  place: { company: string; id: string },
  output: Omit<OutputRecord, 'createdAt' | 'fetches' | 'lastFetchedAt'>,
): Promise<void> {
  await sql`insert into export_files (company, export, number, runid, name, bytes, items, etag, mime, companions)
    values (${place.company}, ${place.id}, ${output.number}, ${output.runid}, ${output.name}, ${output.bytes}, ${output.items},
      ${output.etag}, ${output.mime}, ${JSON.stringify(output.companions)})`.execute(trx);
  await sql`update exports set live_file = ${output.number} where company = ${place.company} and id = ${place.id}`.execute(
    trx,
  );
}

/** Remembers that a channel came for the file. */
export async function countFetch(trx: Trx, company: string, id: string, number: number): Promise<void> {
  await sql`update export_files set fetches = fetches + 1, last_fetched_at = now()
    where company = ${company} and export = ${id} and number = ${number}`.execute(trx);
}
