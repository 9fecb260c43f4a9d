import { showTrash } from '#catalogue/trash.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { DELETION_HOURS } from '#shared/operations/company-data.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Leaves people the time to take back what they could take back when the backup was made, which the first start would delete otherwise: a
 * company that was to be deleted has its whole day, and what lay in the trash the days that it had left.
 */
export async function holdDeletions(trx: Trx, madeAt: Date, now: Date): Promise<void> {
  await trx
    .updateTable('company_deletions')
    .set({ due_at: new Date(now.getTime() + DELETION_HOURS * HOUR_MS) })
    .where('due_at', '>', madeAt)
    .execute();
  const passed = Math.max(0, now.getTime() - madeAt.getTime()) / 1000;
  await showTrash(trx);
  for (const table of ['masters', 'exports'])
    await pg`update ${pg.table(table)} set trashed_at = trashed_at + make_interval(secs => ${passed}::float8)
      where trashed_at is not null and purge_at is null`.execute(trx);
}
