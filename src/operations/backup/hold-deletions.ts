import { showTrash } from '#catalogue/trash.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { DELETION_HOURS } from '#shared/operations/company-data.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Postpones deletions after a restore; otherwise the first start would delete what could still be taken back when the backup was
 * made. A company's deletion waits its full day again, and entries of the trash keep the days that they had left.
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
