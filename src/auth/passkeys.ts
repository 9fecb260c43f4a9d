import type { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Accounts, Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import type { NewPasskeyAnswer, Passkey, PasskeyProof } from '#shared/account/factors.ts';
import { issueTicket, useTicket } from './tickets.ts';

type PasskeyDeps = { database: Database; clock: Clock; ids: Ids };

/** Loads the library only when a passkey is used: it has 280 modules. */
const webAuthn = () => import('@simplewebauthn/server');

/** The site that passkeys belong to: its host name, and the origin that the browser reported. */
export type Site = { host: string; origin: string };

/**
 * A passkey counts as both factors: the device, and the fingerprint, face or PIN that unlocks it. So the device must have
 * verified the user (`userVerification: required`), and a passkey alone signs in.
 */
const verification = 'required';
/** Ed25519, ES256, RS256: every device supports one of these. The library's newer ones are still experimental in Node. */
const algorithms = [-8, -7, -257];

/** Returns the options for signing in with a passkey, for no particular user: the browser offers those it has for this site. */
export async function passkeySignInOptions(deps: PasskeyDeps, site: Site) {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({ rpID: site.host, userVerification: verification });
  const ticket = await issueTicket(deps, 'passkey', { userId: null, challenge: options.challenge });
  return { ticket, options };
}

/** Returns the user whose passkey answered. @throws 401 for an answer that proves nothing */
export async function userOfPasskey(
  deps: PasskeyDeps,
  site: Site,
  { ticket, answer }: z.output<typeof PasskeyProof>,
): Promise<string> {
  const { challenge } = await useTicket(deps, 'passkey', ticket);
  const stored = await deps.database.kysely
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'public_key', 'counter'])
    .where('id', '=', answer.id)
    .executeTakeFirst();
  if (!stored) throw refused();
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
    credential: {
      id: stored.id,
      publicKey: Uint8Array.from(Buffer.from(stored.public_key, 'base64url')),
      counter: stored.counter,
    },
  }).catch((error: unknown) => {
    throw refused(error);
  });
  if (!verified) throw refused();
  await deps.database.kysely
    .updateTable('passkeys')
    .set({ counter: authenticationInfo.newCounter, last_used_at: deps.clock.now() })
    .where('id', '=', stored.id)
    .execute();
  return stored.user_id;
}

/** Returns the user who owns a passkey; undefined if no user has it. */
export async function ownerOfPasskey({ kysely }: Accounts, id: string): Promise<string | undefined> {
  const found = await kysely.selectFrom('passkeys').select('user_id').where('id', '=', id).executeTakeFirst();
  return found?.user_id;
}

/** Returns the options by which the browser creates a passkey for this user. */
export async function passkeyCreationOptions(
  deps: PasskeyDeps,
  site: Site,
  user: { userId: string; email: string; name: string },
) {
  const known = await listPasskeys(deps.database, user.userId);
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Kontor',
    rpID: site.host,
    userID: Uint8Array.from(Buffer.from(user.userId)),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: verification },
  });
  const ticket = await issueTicket(deps, 'new-passkey', { userId: user.userId, challenge: options.challenge });
  return { ticket, options };
}

/**
 * Stores the passkey that a browser created for this user. `more` runs in the same transaction.
 * @throws 422 if the answer does not match its challenge
 */
export async function addPasskey<T>(
  deps: PasskeyDeps,
  site: Site,
  { userId, company }: { userId: string; company: string },
  { ticket, name, answer }: { ticket: string; name: string; answer: z.output<typeof NewPasskeyAnswer> },
  more: (trx: Trx) => Promise<T>,
): Promise<T> {
  const ceremony = await useTicket(deps, 'new-passkey', ticket);
  if (ceremony.userId !== userId) throw notMade();
  const { verifyRegistrationResponse } = await webAuthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: ceremony.challenge,
    supportedAlgorithmIDs: algorithms,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw notMade(error);
  });
  if (!registrationInfo) throw notMade();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return deps.database.accounts(company, async (trx) => {
    await trx
      .insertInto('passkeys')
      .values({
        id,
        user_id: userId,
        name,
        public_key: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: transports.join(' '),
        created_at: deps.clock.now(),
      })
      .execute();
    return more(trx);
  });
}

export async function listPasskeys(database: Accounts, userId: string): Promise<Passkey[]> {
  const rows = await database.kysely
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }));
}

/** Deletes a passkey of a user; false if there is none with this id. */
export async function removePasskey(database: Accounts, userId: string, id: string): Promise<boolean> {
  const deleted = await database.kysely
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

const refused = (cause?: unknown) =>
  new KontorError(401, 'wrong_passkey', 'Dieser Passkey gehört zu keinem Konto hier, oder er wurde nicht entsperrt.', {
    cause,
  });

const notMade = (cause?: unknown) =>
  new KontorError(422, 'passkey_not_made', 'Der Passkey konnte nicht angelegt werden. Bitte versuchen Sie es erneut.', {
    cause,
  });
