import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/** From here on the transaction sees what lies in the trash as well; everybody else is told that it does not exist (migration 0035). */
export async function showTrash(trx: Trx): Promise<void> {
  await pg`select set_config('kontor.trash', 'shown', true)`.execute(trx);
}
