import { z } from 'zod';
import type { Row } from '#platform/db/row.ts';
import { importedFieldSchema, type ImportedField } from '#shared/import/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { HeldBack } from '#shared/difference/schema.ts';
import { heldBy } from './releases.ts';

/** A stored snapshot of a catalogue: its number names the Parquet file, its fields name that file's columns. */
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

type SnapshotRow = Row<'snapshots', 'number' | 'items' | 'fields' | 'key_field' | 'runid' | 'source' | 'created_at'>;

const Fields = z.array(importedFieldSchema);

const toRecord = (company: string, masterid: string, row: SnapshotRow): SnapshotRecord => ({
  company,
  masterid,
  number: row.number,
  items: row.items,
  fields: Fields.parse(JSON.parse(row.fields)),
  key: row.key_field,
  runid: row.runid,
  source: row.source,
  createdAt: row.created_at,
});

/** Returns the live snapshot; undefined before the first import. */
export async function liveSnapshot(trx: Trx, company: string, masterid: string): Promise<SnapshotRecord | undefined> {
  const row = await trx
    .selectFrom('masters as m')
    .innerJoin('snapshots as s', (join) =>
      join
        .onRef('s.company', '=', 'm.company')
        .onRef('s.master', '=', 'm.id')
        .onRef('s.number', '=', 'm.live_snapshot'),
    )
    .select(['s.number', 's.items', 's.fields', 's.key_field', 's.runid', 's.source', 's.created_at'])
    .where((eb) => eb.and({ 'm.company': company, 'm.id': masterid }))
    .executeTakeFirst();
  return row && toRecord(company, masterid, row);
}

/** Returns the live snapshot. @throws the German error that a screen shows before the first import */
export async function neededSnapshot(trx: Trx, company: string, masterid: string): Promise<SnapshotRecord> {
  const snapshot = await liveSnapshot(trx, company, masterid);
  if (!snapshot) throw noItems();
  return snapshot;
}

/** Returns the error of a catalogue before its first import. */
export const noItems = (): KontorError =>
  new KontorError(409, 'no_items', 'Dieser Katalog hat noch keine Artikel. Bitte zuerst eine Datei importieren.');

/** Returns `answer` in place of the error of a catalogue without items. @throws any other error */
export function orIfNoItems<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof KontorError && error.code === 'no_items') return answer;
    throw error;
  };
}

/** Returns a snapshot by its number, live or not; undefined if it is not recorded (any more). */
export async function snapshotAt(
  trx: Trx,
  company: string,
  masterid: string,
  number: number,
): Promise<SnapshotRecord | undefined> {
  const row = await trx
    .selectFrom('snapshots')
    .select(['number', 'items', 'fields', 'key_field', 'runid', 'source', 'created_at'])
    .where((eb) => eb.and({ company, master: masterid, number }))
    .executeTakeFirst();
  return row && toRecord(company, masterid, row);
}

/** Returns a snapshot whose file is still stored, live or not. @throws 410 */
export async function keptSnapshot(
  trx: Trx,
  company: string,
  masterid: string,
  number: number,
): Promise<SnapshotRecord> {
  const row = await trx
    .selectFrom('snapshots')
    .select(['number', 'items', 'fields', 'key_field', 'runid', 'source', 'created_at'])
    .where((eb) => eb.and({ company, master: masterid, number }))
    .where('gone_at', 'is', null)
    .executeTakeFirst();
  if (row) return toRecord(company, masterid, row);
  throw new KontorError(
    410,
    'state_gone',
    'Dieser Stand des Katalogs wird nicht mehr aufbewahrt. Bitte laden Sie die Artikel von vorn.',
  );
}

export async function listSnapshots(
  trx: Trx,
  company: string,
  masterid: string,
): Promise<(Omit<SnapshotRecord, 'fields'> & { live: boolean; gone: boolean; held: HeldBack })[]> {
  const rows = await trx
    .selectFrom('masters as m')
    .innerJoin('snapshots as s', (join) => join.onRef('s.company', '=', 'm.company').onRef('s.master', '=', 'm.id'))
    .leftJoin('jobs as j', (join) => join.onRef('j.company', '=', 's.company').onRef('j.id', '=', 's.runid'))
    .select([
      's.number',
      's.items',
      's.key_field',
      's.runid',
      's.source',
      's.created_at',
      's.gone_at',
      'm.live_snapshot',
      'j.state',
    ])
    .where((eb) => eb.and({ 'm.company': company, 'm.id': masterid }))
    .orderBy('s.number', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ gone_at: goneAt, live_snapshot: live, state, ...row }) => ({
    ...toRecord(company, masterid, { ...row, fields: '[]' }),
    live: row.number === live,
    gone: goneAt !== null,
    held: heldBy(state),
  }));
}

/** Records a finished file, which is not live yet. Must run as the effect of the job that wrote it. */
export async function addSnapshot(trx: Trx, snapshot: Omit<SnapshotRecord, 'createdAt'>): Promise<void> {
  const { company, masterid, number, runid, items, fields, key, source } = snapshot;
  await trx
    .insertInto('snapshots')
    .values({ company, master: masterid, number, runid, items, fields: JSON.stringify(fields), key_field: key, source })
    .execute();
}

/** Locks the master's state until the transaction ends, so that another one cannot become live, nor any be removed. */
export async function holdLive(trx: Trx, company: string, masterid: string): Promise<void> {
  await trx
    .selectFrom('masters')
    .select('id')
    .where((eb) => eb.and({ company, id: masterid }))
    .forUpdate()
    .execute();
}

/** Makes a recorded snapshot the live one. @throws 404 if it does not exist or is no longer stored */
export async function makeLive(
  trx: Trx,
  snapshot: { company: string; masterid: string; number: number },
): Promise<void> {
  // Maintenance holds this lock while it removes old snapshots; only a statement after it sees which ones are gone.
  await holdLive(trx, snapshot.company, snapshot.masterid);
  const updated = await trx
    .updateTable('masters as m')
    .from('snapshots as s')
    .set((eb) => ({ live_snapshot: eb.ref('s.number'), key_field: eb.ref('s.key_field') }))
    .whereRef('s.company', '=', 'm.company')
    .whereRef('s.master', '=', 'm.id')
    .where((eb) => eb.and({ 'm.company': snapshot.company, 'm.id': snapshot.masterid }))
    .where((eb) => eb.and({ 's.number': snapshot.number, 's.gone_at': null }))
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw notFound('Diesen Stand');
}

/** Returns the next snapshot number; files of crashed runs with higher numbers are overwritten by rename. */
export async function nextSnapshotNumber(trx: Trx, company: string, masterid: string): Promise<number> {
  const row = await trx
    .selectFrom('snapshots')
    .select((eb) => eb.fn.max<number | null>('number').as('newest'))
    .where((eb) => eb.and({ company, master: masterid }))
    .executeTakeFirst();
  return (row?.newest ?? 0) + 1;
}

/** Returns every field that this master ever had, newest spelling first: a field that reappears keeps its column id. */
export async function knownFields(
  trx: Trx,
  company: string,
  masterid: string,
): Promise<{ id: string; name: string }[]> {
  const rows = await trx
    .selectFrom('snapshots')
    .select('fields')
    .where((eb) => eb.and({ company, master: masterid }))
    .orderBy('number', 'desc')
    .limit(20)
    .execute();
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
