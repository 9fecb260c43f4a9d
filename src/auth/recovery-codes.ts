import type { Accounts } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { hashOf } from './secrets.ts';

const CODES = 10;
/** Without letters that look like others. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LETTERS = 24;

/** 120 random bits in six groups of four: enough that a plain hash protects it. Older codes with 80 bits stay valid. */
function makeCode(ids: Ids): string {
  const bytes = Buffer.from(ids.secret(), 'base64url').subarray(0, CODE_LETTERS);
  const code = [...bytes].map((byte) => letters.charAt(byte % letters.length)).join('');
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}

const stored = (userId: string, code: string) => hashOf(`${userId} ${code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}`);

/** Replaces a user's codes by ten new ones and returns them; they are never shown again. Within a transaction. */
export async function renewRecoveryCodes({ kysely }: Accounts, ids: Ids, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => makeCode(ids));
  await kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = codes.map((code) => ({ user_id: userId, hash: stored(userId, code) }));
  await kysely.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

/** Whether the user has this recovery code; it is used up. */
export async function useRecoveryCode(database: Accounts, userId: string, code: string): Promise<boolean> {
  const used = await database.kysely
    .deleteFrom('recovery_codes')
    .where((eb) => eb.and({ user_id: userId, hash: stored(userId, code) }))
    .executeTakeFirst();
  return used.numDeletedRows === 1n;
}

/** Deletes the codes of a user who has no second factor any more. */
export async function removeRecoveryCodes(database: Accounts, userId: string): Promise<void> {
  await database.kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Returns the number of codes that a user has left. */
export async function countRecoveryCodes(database: Accounts, userId: string): Promise<number> {
  const { n } = await database.kysely
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return n;
}
