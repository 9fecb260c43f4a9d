import { Secret, TOTP } from 'otpauth';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Accounts, Database } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';

export type TotpDeps = { database: Database; clock: Clock; ids: Ids; vault: Vault };

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;

const totpOf = (secret: string, email: string) =>
  new TOTP({ issuer: 'Kontor', label: email, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

/** The place under which an app's secret is encrypted. */
export const totpPlace = (userId: string) => [`user:${userId}`, 'totp'] as const;

/** Starts to set up an authenticator app. It is active once its first code was right. @throws 422 if one is active already */
export async function startTotp(
  { database, clock, ids, vault }: TotpDeps,
  { userId, email }: { userId: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const bytes = Buffer.from(ids.secret(), 'base64url').subarray(0, SECRET_BYTES);
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
  const row = { sealed: vault.seal(...totpPlace(userId), secret), created_at: clock.now(), last_step: 0 };
  const written = await database.kysely
    .insertInto('totp_factors')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(row).where('totp_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  if (written.numInsertedOrUpdatedRows !== 1n)
    throw new KontorError(422, 'app_set_up', 'Es ist schon eine App eingerichtet. Bitte entfernen Sie diese zuerst.');
  return { secret, uri: totpOf(secret, email).toString() };
}

/**
 * Whether a code of the app is valid: that of the present half minute, the one before or after, and not used before.
 * `confirm`: the first code, which activates the app.
 */
export async function isTotpCode(
  { database, clock, vault }: Pick<TotpDeps, 'clock' | 'vault'> & { database: Accounts },
  userId: string,
  code: string,
  confirm: boolean,
): Promise<boolean> {
  const found = await database.kysely
    .selectFrom('totp_factors')
    .select(['sealed', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!found || (found.confirmed_at === null) !== confirm) return false;
  const now = clock.now();
  const totp = totpOf(vault.open(...totpPlace(userId), found.sealed), '');
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: 1 });
  if (delta === null) return false;
  const step = Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
  // If two requests send the same code at once, the second one finds no row to update.
  const used = await database.kysely
    .updateTable('totp_factors')
    .set({ last_step: step, ...(confirm ? { confirmed_at: now } : {}) })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

/** Removes the app; false if none was set up. */
export async function removeTotp(database: Accounts, userId: string): Promise<boolean> {
  const deleted = await database.kysely.deleteFrom('totp_factors').where('user_id', '=', userId).executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}
