import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError, notFound } from '#platform/errors.ts';

const setTrash = (trx: Trx, value: string) => pg`select set_config('kontor.trash', ${value}, true)`.execute(trx);

/** From here on the transaction sees what lies in the trash as well; all others do not (migration 0035). */
export async function showTrash(trx: Trx): Promise<void> {
  await setTrash(trx, 'shown');
}

const names = { masters: 'Katalog', exports: 'Export' } as const;

/**
 * The 404 for a catalogue or an export that a transaction does not see. Where it lies in the trash the answer says so: whoever follows
 * an old address would believe it lost.
 */
export async function notThere(trx: Trx, table: 'masters' | 'exports', company: string, id: string) {
  const before = await trx
    .selectNoFrom(pg<string>`coalesce(current_setting('kontor.trash', true), '')`.as('trash'))
    .executeTakeFirstOrThrow();
  await showTrash(trx);
  const trashed = await trx
    .selectFrom(table)
    .select((table === 'exports' ? pg.ref<boolean>('trashed_with_master') : pg<boolean>`false`).as('with_master'))
    .where((eb) => eb.and({ company, id, purge_at: null }))
    .executeTakeFirst();
  await setTrash(trx, before.trash);
  if (trashed === undefined) return notFound(`Diesen ${names[table]}`);
  // What went with its catalogue comes back with it, and stands there under its name.
  const words = trashed.with_master
    ? 'Dieser Export liegt mit seinem Katalog im Papierkorb. Dort steht, wie lange sich der Katalog noch zurückholen lässt.'
    : `Dieser ${names[table]} liegt im Papierkorb. Dort steht, wie lange er sich noch zurückholen lässt.`;
  return new KontorError(404, 'in_trash', words);
}
