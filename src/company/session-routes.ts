import type { FastifyInstance } from 'fastify';
import { type CountedAttempt, releaseAndRethrow } from '#auth/attempts.ts';
import { findUser, lockPassword } from '#auth/auth.ts';
import type { HashCaller } from '#auth/passwords/hash-limiter.ts';
import { passkeySignInOptions, ownerOfPasskey, userOfPasskey } from '#auth/passkeys.ts';
import { isPassword } from '#auth/passwords/passwords.ts';
import { factorsOf, requireCode } from '#auth/second-factors.ts';
import { beginSession, endSession } from '#auth/sessions.ts';
import { holdsOldForm, renewStored } from '#auth/passwords/stored-passwords.ts';
import { issueTicket, readTicket, useTicket } from '#auth/tickets.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { recordFailedSignIn, recordOfUser } from './account-events.ts';
import { companyNameOf } from './company-name.ts';
import {
  type AccountDeps,
  type Exchange,
  beginSignedIn,
  sendSession,
  sessionOf,
  siteOf,
  visitorOf,
  wrongCredentials,
} from './sign-in.ts';

/** Calls that sign in, in one or two steps, and sign out. */
export function sessionRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, cookies } = deps;

  route(app, api.signIn, async ({ body, request, reply }) => {
    const email = body.email.toLowerCase();
    const user = await findUser(database, email);
    const attempt = { email: user?.email ?? email, userId: user?.id, cookie: request.headers.cookie, from: request.ip };
    const tries = await countTries(deps, attempt).catch((error: unknown) => {
      recordFailedSignIn(deps, request, user?.id, tooManyTries);
      throw error;
    });
    const { asker } = tries;
    const bothForms = await holdsOldForm(database);
    const right = await isPassword(body.password, user?.passwordHash, { asker, bothForms }).catch(
      releaseAndRethrow(tries),
    );
    if (!right || user === undefined) {
      recordFailedSignIn(deps, request, user?.id);
      throw wrongCredentials();
    }
    await tries.succeeded();
    return continueSignIn(deps, { request, reply }, user, body.password);
  });

  route(app, api.signInFactor, async ({ body, request, reply }) => {
    const { userId } = await readTicket(deps, 'factor', body.ticket);
    if (userId === null) throw wrongCredentials();
    try {
      await requireCode(deps, userId, body.code);
    } catch (error) {
      if (error instanceof KontorError) {
        const event = error.code === 'wrong_code' ? { result: 'failed' as const, what: 'Falscher Code' } : tooManyTries;
        await recordOfUser(deps, request, userId, { kind: 'sign_in', ...event });
      }
      throw error;
    }
    const token = await database.accounts('', async (trx) => {
      const inside = { ...deps, database: { kysely: trx } };
      // A new password removes tickets, then ends sessions: together it finds one of the two.
      await useTicket(inside, 'factor', body.ticket);
      return beginSession(inside, userId, visitorOf(request));
    });
    return sendSession(deps, { request, reply }, { token, userId, how: 'Mit Passwort und Code angemeldet' });
  });

  passkeyRoutes(app, deps);

  route(app, api.session, async ({ principal }) =>
    sessionOf({ ...principal, companyName: await companyNameOf(database, principal) }),
  );

  route(app, api.signOut, async ({ request, reply }) => {
    const token = cookies.tokenIn(request.headers.cookie);
    if (token !== undefined) await endSession(database, token);
    reply.header('set-cookie', cookies.end());
    return { ok: true as const };
  });
}

/** Begins the session after a right password, or the second step. @throws 401 if the password was replaced meanwhile */
async function continueSignIn(deps: AccountDeps, exchange: Exchange, user: User, password: string) {
  const { database } = deps;
  const { app: byApp, passkeys } = await factorsOf(database, user.id);
  const byFactor = byApp || passkeys.length > 0;
  const secret = await database.accounts('', async (trx) => {
    // Another password may have been set during the check: it has ended the sessions and tickets so far, not this one.
    if (!(await lockPassword(trx, user.id, user.passwordHash))) return undefined;
    const inside = { ...deps, database: { kysely: trx } };
    return byFactor
      ? issueTicket(inside, 'factor', { userId: user.id, challenge: '' })
      : beginSession(inside, user.id, visitorOf(exchange.request));
  });
  if (secret === undefined) {
    // A sign-in at the same moment may have stored the same password in its present form.
    const now = await findUser(database, user.email);
    if (now && (await isPassword(password, now.passwordHash, { asker: 'known', bothForms: false })))
      return continueSignIn(deps, exchange, now, password);
    recordFailedSignIn(deps, exchange.request, user.id);
    throw wrongCredentials();
  }
  await renewStored(database, user, password).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'a password hash could not be renewed'),
  );
  if (byFactor) return { ticket: secret, app: byApp, passkey: passkeys.length > 0 };
  const how = 'Mit Passwort angemeldet';
  return sendSession(deps, exchange, { token: secret, userId: user.id, how });
}

function passkeyRoutes(app: FastifyInstance, deps: AccountDeps): void {
  route(app, api.passkeyQuestion, ({ request }) => passkeySignInOptions(deps, siteOf(request, deps.publicUrl)));

  route(app, api.signInPasskey, async ({ body, request, reply }) => {
    const userId = await userOfPasskey(deps, siteOf(request, deps.publicUrl), body).catch(async (error: unknown) => {
      if (error instanceof KontorError && error.code === 'wrong_passkey') {
        const owner = await ownerOfPasskey(deps.database, body.answer.id);
        recordFailedSignIn(deps, request, owner, { result: 'failed', what: 'Passkey abgelehnt' });
      }
      throw error;
    });
    return beginSignedIn(deps, { request, reply }, userId, 'Mit Passkey angemeldet');
  });
}

const tooManyTries = { result: 'refused', what: 'Zu viele Versuche' } as const;

type User = { id: string; email: string; passwordHash: string | null };
type Attempt = { email: string; userId: string | undefined; cookie: string | undefined; from: string };

/**
 * Counts an attempt at a password before it is checked. A browser that signed in to this account before has a count of its own,
 * so that strangers who try passwords cannot lock it out.
 */
async function countTries(
  { attempts, cookies, signInTries }: AccountDeps,
  { email, userId, cookie, from }: Attempt,
): Promise<CountedAttempt & { asker: HashCaller; succeeded: () => Promise<void> }> {
  const device = userId === undefined ? undefined : cookies.knownDevice(cookie, userId);
  if (device !== undefined) {
    const { release } = await attempts.take(`device:${device}`, signInTries.account);
    return { asker: 'known', release, succeeded: () => attempts.clear(`device:${device}`) };
  }
  const byAddress = await attempts.take(`address:${from}`, signInTries.address);
  const account = `account:${email}`;
  const byAccount = await attempts.take(account, signInTries.account);
  return {
    asker: 'stranger',
    release: async () => {
      await byAddress.release();
      await byAccount.release();
    },
    succeeded: async () => {
      await byAddress.release();
      await attempts.clear(account);
    },
  };
}
