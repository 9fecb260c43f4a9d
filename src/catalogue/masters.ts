import type { InferResult } from 'kysely';
import type { Trx } from '#platform/db/database.ts';
import { lastUsedOf } from '#shared/http/cookies.ts';
import { notFound } from '#platform/errors.ts';
import { notFoundOrTrashed } from './trash.ts';

export type MasterRecord = {
  masterid: string;
  name: string;
  key: string | null;
  live: number | null;
  items: number;
  fields: number;
  importedAt: Date | null;
};

type MasterRow = InferResult<ReturnType<typeof masterRows>>[number];

const toRecord = (row: MasterRow): MasterRecord => ({
  masterid: row.id,
  name: row.name,
  key: row.key_field,
  live: row.live_snapshot,
  items: row.items ?? 0,
  fields: row.fields ?? 0,
  importedAt: row.imported_at,
});

const masterRows = (trx: Trx, company: string) =>
  trx
    .selectFrom('masters as m')
    .leftJoin('snapshots as s', (join) =>
      join
        .onRef('s.company', '=', 'm.company')
        .onRef('s.master', '=', 'm.id')
        .onRef('s.number', '=', 'm.live_snapshot'),
    )
    .select(['m.id', 'm.name', 'm.key_field', 'm.live_snapshot', 's.items', 's.created_at as imported_at'])
    .select((eb) => eb.fn<number | null>('json_array_length', [eb.cast('s.fields', 'json')]).as('fields'))
    .where('m.company', '=', company);

export async function listMasters(trx: Trx, company: string): Promise<MasterRecord[]> {
  const rows = await masterRows(trx, company).orderBy('m.created_at').orderBy('m.id').execute();
  return rows.map(toRecord);
}

/** Returns one master of the company. @throws 404 if there is none with this id */
export async function loadMaster(trx: Trx, company: string, masterid: string): Promise<MasterRecord> {
  const row = await masterRows(trx, company).where('m.id', '=', masterid).executeTakeFirst();
  if (!row) throw await notFoundOrTrashed(trx, 'masters', company, masterid);
  return toRecord(row);
}

/** Locks the master until the transaction ends, so that it cannot go into the trash. @throws 404 */
export async function holdMaster(trx: Trx, company: string, masterid: string): Promise<void> {
  const row = await trx
    .selectFrom('masters')
    .select('id')
    .where((eb) => eb.and({ company, id: masterid }))
    .forShare()
    .executeTakeFirst();
  if (!row) throw await notFoundOrTrashed(trx, 'masters', company, masterid);
}

/** Response header that names the master which a call without an id referred to. */
export const MASTER_HEADER = 'x-kontor-masterid';

/** Returns the master of a call without an id: the browser's last one, else the company's newest with items, else its newest. */
export async function activeMaster(
  trx: Trx,
  company: string,
  masterid: string | undefined,
  cookies = '',
): Promise<MasterRecord> {
  if (masterid !== undefined) return loadMaster(trx, company, masterid);
  const all = await listMasters(trx, company);
  const last = lastUsedOf(cookies).masterid;
  const chosen =
    all.find((master) => master.masterid === last) ?? all.findLast((master) => master.live !== null) ?? all.at(-1);
  if (!chosen) throw notFound('Einen Katalog');
  return chosen;
}

export async function createMaster(trx: Trx, company: string, masterid: string, name: string): Promise<void> {
  await trx.insertInto('masters').values({ company, id: masterid, name }).execute();
}
