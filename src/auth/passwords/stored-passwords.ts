import type { Accounts } from '#platform/db/database.ts';
import { everyProcessReadsArgon2id } from '#platform/processes/processes.ts';
import { type HashForm, hashPassword, isOfForm } from './passwords.ts';

/**
 * Returns the form in which passwords are stored now. While processes of a version that reads only scrypt are running, as during
 * a rolling update, that is scrypt: otherwise a password stored here would not be accepted there.
 */
export const formToStore = async (database: Accounts): Promise<HashForm> =>
  (await everyProcessReadsArgon2id(database)) ? 'argon2id' : 'scrypt';

/** Whether any password is still stored in the form of older versions. */
export async function holdsOldForm({ kysely }: Accounts): Promise<boolean> {
  const found = await kysely
    .selectFrom('user')
    .select('id')
    .where('password_hash', 'not like', '$argon2id$%')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Stores a password that was just verified in the present form, unless the user has got another password meanwhile. */
export async function renewStored(
  database: Accounts,
  { id, passwordHash }: { id: string; passwordHash: string | null },
  password: string,
): Promise<void> {
  if (passwordHash === null || isOfForm(passwordHash, 'argon2id')) return;
  if ((await formToStore(database)) !== 'argon2id') return;
  const renewed = await hashPassword(password, 'argon2id');
  await database.kysely
    .updateTable('user')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .execute();
}
