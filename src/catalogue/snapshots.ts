import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import { importedFieldSchema, type ImportedField } from '#shared/import/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { HeldBack } from '#shared/difference/schema.ts';
import { heldBy } from './releases.ts';

/** A kept state of a catalogue: its number names the Parquet file, its fields name that file's columns. */
export type SnapshotRecord = {
  company: string;
  masterid: string;
  number: number;
  items: number;
  fields: ImportedField[];
  key: string | null;
  runid: string;
  source: string;
  createdAt: Date;
};

type SnapshotRow = {
  number: number;
  items: number;
  fields: string;
  key_field: string | null;
  runid: string;
  source: string;
  created_at: Date;
};

const Fields = z.array(importedFieldSchema);

const toRecord = (company: string, masterid: string, row: SnapshotRow): SnapshotRecord => ({
  company,
  masterid,
  number: row.number,
  items: Number(row.items),
  fields: Fields.parse(JSON.parse(row.fields)),
  key: row.key_field,
  runid: row.runid,
  source: row.source,
  createdAt: row.created_at,
});

/** The live snapshot; undefined before the first import. */
export async function liveSnapshot(trx: Trx, company: string, masterid: string): Promise<SnapshotRecord | undefined> {
  const { rows } = await pg<SnapshotRow>`
    select s.number, s.items, s.fields, s.key_field, s.runid, s.source, s.created_at
    from masters m join snapshots s on s.company = m.company and s.master = m.id and s.number = m.live_snapshot
    where m.company = ${company} and m.id = ${masterid}`.execute(trx);
  return rows[0] && toRecord(company, masterid, rows[0]);
}

/** The live snapshot, or the German refusal that a screen shows before the first import. */
export async function neededSnapshot(trx: Trx, company: string, masterid: string): Promise<SnapshotRecord> {
  const snapshot = await liveSnapshot(trx, company, masterid);
  if (!snapshot) {
    throw new KontorError(
      409,
      'no_items',
      'Dieser Katalog hat noch keine Artikel. Bitte zuerst eine Datei importieren.',
    );
  }
  return snapshot;
}

/** A kept snapshot by its number, live or not; undefined if it is no longer (or was never) recorded. */
export async function snapshotAt(
  trx: Trx,
  company: string,
  masterid: string,
  number: number,
): Promise<SnapshotRecord | undefined> {
  const { rows } = await pg<SnapshotRow>`
    select number, items, fields, key_field, runid, source, created_at from snapshots
    where company = ${company} and master = ${masterid} and number = ${number}`.execute(trx);
  return rows[0] && toRecord(company, masterid, rows[0]);
}

export async function listSnapshots(
  trx: Trx,
  company: string,
  masterid: string,
): Promise<(Omit<SnapshotRecord, 'fields'> & { live: boolean; gone: boolean; held: HeldBack })[]> {
  const { rows } = await pg<SnapshotRow & { live: boolean | null; gone: boolean; state: string | null }>`
    select s.number, s.items, '[]' as fields, s.key_field, s.runid, s.source, s.created_at, s.number = m.live_snapshot as live,
      s.gone_at is not null as gone, j.state
    from masters m join snapshots s on s.company = m.company and s.master = m.id
    left join jobs j on j.company = s.company and j.id = s.runid
    where m.company = ${company} and m.id = ${masterid} order by s.number desc limit 50`.execute(trx);
  return rows.map((row) => ({
    ...toRecord(company, masterid, row),
    live: row.live === true,
    gone: row.gone,
    held: heldBy(row.state),
  }));
}

/** Records a finished file; it is not live yet. To be run as the effect of the job that wrote it. */
export async function addSnapshot(trx: Trx, snapshot: Omit<SnapshotRecord, 'createdAt'>): Promise<void> {
  await pg`insert into snapshots (company, master, number, runid, items, fields, key_field, source)
    values (${snapshot.company}, ${snapshot.masterid}, ${snapshot.number}, ${snapshot.runid}, ${snapshot.items},
      ${JSON.stringify(snapshot.fields)}, ${snapshot.key}, ${snapshot.source})`.execute(trx);
}

/** Makes a recorded snapshot the one that everything reads from now on. */
export async function makeLive(
  trx: Trx,
  snapshot: { company: string; masterid: string; number: number },
): Promise<void> {
  const updated = await pg`update masters set live_snapshot = s.number, key_field = s.key_field
    from snapshots s where s.company = masters.company and s.master = masters.id and s.number = ${snapshot.number} and s.gone_at is null
      and masters.company = ${snapshot.company} and masters.id = ${snapshot.masterid}`.execute(trx);
  if (updated.numAffectedRows !== 1n) throw notFound('Diesen Stand');
}

/** The number after the highest one ever given; files of died runs above it are overwritten by rename. */
export async function nextSnapshotNumber(trx: Trx, company: string, masterid: string): Promise<number> {
  const { rows } = await pg<{ next: number }>`
    select coalesce(max(number), 0) + 1 as next from snapshots where company = ${company} and master = ${masterid}`.execute(
    trx,
  );
  return Number(rows[0]?.next ?? 1);
}

/** Every field this master ever had, the newest spelling first: a field that comes back keeps its column id. */
export async function knownFields(
  trx: Trx,
  company: string,
  masterid: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await pg<{ fields: string }>`
    select fields from snapshots where company = ${company} and master = ${masterid} order by number desc limit 20`.execute(
    trx,
  );
  const byName = new Map<string, string>();
  const ids = new Set<string>();
  for (const row of rows) {
    for (const { id, name } of Fields.parse(JSON.parse(row.fields))) {
      if (byName.has(name) || ids.has(id)) continue;
      byName.set(name, id);
      ids.add(id);
    }
  }
  return [...byName].map(([name, id]) => ({ id, name }));
}
