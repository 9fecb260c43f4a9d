import type { Accounts, Database } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import type { Factors } from '#shared/account/factors.ts';
import type { Attempts } from './attempts.ts';
import { listPasskeys } from './passkeys.ts';
import { countRecoveryCodes, removeRecoveryCodes, renewRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { isTotpCode, type TotpDeps } from './totp.ts';

const WRONG_CODES = 5;

/** Returns the second factors that a user has set up. */
export async function factorsOf(database: Accounts, userId: string): Promise<Omit<Factors, 'required'>> {
  const app = await database.kysely
    .selectFrom('totp_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return {
    app: app !== undefined,
    passkeys: await listPasskeys(database, userId),
    recoveryCodes: await countRecoveryCodes(database, userId),
  };
}

/** Accepts a code of the app or a recovery code of this user. @throws 401 for a wrong one, 429 after too many wrong ones (T16) */
export async function requireCode(
  deps: TotpDeps & { attempts: Attempts },
  userId: string,
  code: string,
): Promise<void> {
  const key = `code:${userId}`;
  await deps.attempts.take(key, WRONG_CODES);
  const digits = code.replaceAll(/\s/g, '');
  const right = /^\d{6}$/.test(digits)
    ? await isTotpCode(deps, userId, digits, false)
    : await useRecoveryCode(deps.database, userId, code);
  // A mistyped app code may lack a digit or contain a letter; recovery codes have at least 16 characters.
  const ofApp = digits.length < 12;
  if (!right) throw wrongCode(ofApp && (await factorsOf(deps.database, userId)).app ? 'app' : 'recovery');
  await deps.attempts.clear(key);
}

/** Returns new recovery codes with the first second factor; empty if the user has some already. Within a transaction. */
export async function firstRecoveryCodes(database: Accounts, ids: Ids, userId: string): Promise<string[]> {
  return (await countRecoveryCodes(database, userId)) > 0 ? [] : renewRecoveryCodes(database, ids, userId);
}

/** Deletes the recovery codes if the factor just removed was the last one. */
export async function dropUnusedCodes(database: Accounts, userId: string): Promise<void> {
  const { app, passkeys } = await factorsOf(database, userId);
  if (!app && passkeys.length === 0) await removeRecoveryCodes(database, userId);
}

/** Removes all second factors of a user who has lost them. */
export async function removeFactors(database: Database, userId: string): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    for (const table of ['totp_factors', 'passkeys', 'recovery_codes'] as const)
      await trx.deleteFrom(table).where('user_id', '=', userId).execute();
  });
}

/** Hints where to find another code. */
const nextCodes = {
  app: 'Bitte geben Sie den nächsten Code ein, den die App zeigt.',
  recovery: 'Bitte geben Sie einen Wiederherstellungscode ein, der noch nicht benutzt wurde.',
};

export const wrongCode = (source: keyof typeof nextCodes) =>
  new KontorError(401, 'wrong_code', 'Dieser Code stimmt nicht oder wurde schon benutzt.', {
    fields: [{ field: 'code', message: nextCodes[source] }],
  });
