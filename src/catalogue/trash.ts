import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError, notFound } from '#platform/errors.ts';

const setTrash = (trx: Trx, value: string) => pg`select set_config('kontor.trash', ${value}, true)`.execute(trx);

/** Lets the rest of this transaction see entries of the trash, which are hidden otherwise (migration 0035). */
export async function showTrash(trx: Trx): Promise<void> {
  await setTrash(trx, 'shown');
}

const names = { masters: 'Katalog', exports: 'Export' } as const;

/**
 * Returns the 404 for a catalogue or an export that a transaction does not see. It says if it is in the trash: a user who follows
 * an old link would believe it lost.
 */
export async function notFoundOrTrashed(trx: Trx, table: 'masters' | 'exports', company: string, id: string) {
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
  // An export deleted with its catalogue is listed and restored under the catalogue's name.
  const words = trashed.with_master
    ? 'Dieser Export liegt mit seinem Katalog im Papierkorb. Dort steht, wie lange sich der Katalog noch zurückholen lässt.'
    : `Dieser ${names[table]} liegt im Papierkorb. Dort steht, wie lange er sich noch zurückholen lässt.`;
  return new KontorError(404, 'in_trash', words);
}
