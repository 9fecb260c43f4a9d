import { listMasters } from '#catalogue/masters.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import type { Trx } from '#platform/db/database.ts';
import type { FirstSteps } from '#shared/masters/first-steps.ts';

/** Returns how far a company is on the way to its first file, computed from existing rows; nothing is stored for it. */
export async function firstSteps(trx: Trx, company: string): Promise<FirstSteps> {
  const exports = await trx
    .selectFrom('exports')
    .select(['id', 'master', 'live_file'])
    .where('company', '=', company)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const masters = await listMasters(trx, company);
  const master = masters.find(({ live }) => live !== null) ?? masters[0];
  const first = exports.find((one) => one.master === master?.masterid);
  const { rows } = first === undefined ? { rows: [] } : await loadConstruction(trx, company, first.id);
  return {
    masterid: master?.masterid ?? null,
    imported: (master?.items ?? 0) > 0,
    exportid: first?.id ?? null,
    assigned: rows.some(({ field }) => field.some(({ value }) => value !== '')),
    file: exports.some((one) => one.live_file !== null),
  };
}
