import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';

export type MasterRecord = {
  masterid: string;
  name: string;
  key: string | null;
  live: number | null;
  items: number;
  fields: number;
  importedAt: Date | null;
};

type MasterRow = {
  id: string;
  name: string;
  key_field: string | null;
  live_snapshot: number | null;
  items: number | null;
  fields: number | null;
  imported_at: Date | null;
};

const toRecord = (row: MasterRow): MasterRecord => ({
  masterid: row.id,
  name: row.name,
  key: row.key_field,
  live: row.live_snapshot,
  items: Number(row.items ?? 0),
  fields: Number(row.fields ?? 0),
  importedAt: row.imported_at,
});

const select = (company: string) => pg`
  select m.id, m.name, m.key_field, m.live_snapshot, s.items, json_array_length(s.fields::json) as fields, s.created_at as imported_at
  from masters m left join snapshots s on s.company = m.company and s.master = m.id and s.number = m.live_snapshot
  where m.company = ${company}`;

export async function listMasters(trx: Trx, company: string): Promise<MasterRecord[]> {
  const { rows } = await pg<MasterRow>`${select(company)} order by m.created_at, m.id`.execute(trx);
  return rows.map(toRecord);
}

/** One master of the company; 404 if there is none under this id. */
export async function loadMaster(trx: Trx, company: string, masterid: string): Promise<MasterRecord> {
  const { rows } = await pg<MasterRow>`${select(company)} and m.id = ${masterid}`.execute(trx);
  if (!rows[0]) throw notFound('Diesen Katalog');
  return toRecord(rows[0]);
}

/** The master a call without an id means: the given one, else the company's newest with items, else its newest. */
export async function activeMaster(trx: Trx, company: string, masterid: string | undefined): Promise<MasterRecord> {
  if (masterid !== undefined) return loadMaster(trx, company, masterid);
  const all = await listMasters(trx, company);
  const chosen = all.findLast((master) => master.live !== null) ?? all.at(-1);
  if (!chosen) throw notFound('Einen Katalog');
  return chosen;
}

export async function createMaster(trx: Trx, company: string, masterid: string, name: string): Promise<void> {
  await pg`insert into masters (company, id, name) values (${company}, ${masterid}, ${name})`.execute(trx);
}
