import type { Accounts } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { hashOf } from './secrets.ts';

const CODES = 10;
/** Without letters that look like another. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LETTERS = 24;

/** 120 random bits, as six groups of four: so many that a plain hash is enough to keep it by. Older codes with 80 go on. */
function makeCode(ids: Ids): string {
  const bytes = Buffer.from(ids.secret(), 'base64url').subarray(0, CODE_LETTERS);
  const code = [...bytes].map((byte) => letters.charAt(byte % letters.length)).join('');
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}

const stored = (userId: string, code: string) => hashOf(`${userId} ${code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}`);

/** Gives a user ten new codes in place of the old ones; they are told here and nowhere again. Within a transaction. */
export async function renewRecoveryCodes({ kysely }: Accounts, ids: Ids, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => makeCode(ids));
  await kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = codes.map((code) => ({ user_id: userId, hash: stored(userId, code) }));
  await kysely.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

/** Whether a recovery code is one of the user's; it is used up by this. */
export async function useRecoveryCode(database: Accounts, userId: string, code: string): Promise<boolean> {
  const used = await database.kysely
    .deleteFrom('recovery_codes')
    .where((eb) => eb.and({ user_id: userId, hash: stored(userId, code) }))
    .executeTakeFirst();
  return used.numDeletedRows === 1n;
}

/** Nobody needs the codes of a user without a second factor. */
export async function removeRecoveryCodes(database: Accounts, userId: string): Promise<void> {
  await database.kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** How many codes a user has left. */
export async function countRecoveryCodes(database: Accounts, userId: string): Promise<number> {
  const { n } = await database.kysely
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return n;
}
