import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Attempts } from '#auth/attempts.ts';
import type { SignInCookies } from '#auth/cookies.ts';
import type { Site } from '#auth/passkeys.ts';
import { isRole, permissionsOf } from '#auth/roles.ts';
import { beginSession, userOfSession, type Visitor } from '#auth/sessions.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError, peopleOnly, unprocessable } from '#platform/errors.ts';
import type { AuditSink } from '#platform/http/audit.ts';
import type { Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Session } from '#shared/account/schema.ts';
import { recordOfUser } from './account-events.ts';
import type { SendPersonalMail } from './account-mails.ts';

/** Free attempts at a password, per account and per address; later ones must wait (T16). */
export type SignInTries = { account: number; address: number };

export type AccountDeps = {
  database: Database;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  log: Log;
  audit: AuditSink;
  cookies: SignInCookies;
  attempts: Attempts;
  signInTries: SignInTries;
  publicUrl: string;
  companyName: (company: string) => Promise<string>;
  canMail: (company: string) => Promise<boolean>;
  /** Whether an account at a real marketplace is active, through which orders come in. */
  hasSellerAccount: (trx: Trx, company: string) => Promise<boolean>;
  /** Whether such an account requires that the company's users sign in with a second factor. */
  factorForOrders: boolean;
  sendPersonalMail: SendPersonalMail;
};

export type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** Starts the session of a user who has just proved his identity, and sets its cookie. */
export async function beginSignedIn(
  deps: AccountDeps,
  exchange: Exchange,
  userId: string,
  how: string,
): Promise<Session> {
  const token = await beginSession(deps, userId, visitorOf(exchange.request));
  return sendSession(deps, exchange, { token, userId, how });
}

/** Logs that a session was started, and sets its cookie. */
export async function sendSession(
  deps: AccountDeps,
  { request, reply }: Exchange,
  { token, userId, how }: { token: string; userId: string; how: string },
): Promise<Session> {
  const user = await userOfSession(deps, token, false);
  if (!user) throw wrongCredentials();
  // Before the browser gets the session, so that every session is in the log.
  await recordOfUser(deps, request, userId, { kind: 'sign_in', result: 'done', what: how });
  reply.header('set-cookie', [deps.cookies.begin(token), deps.cookies.remember(userId, deps.ids.secret())]);
  return sessionOf({ ...user, permissions: permissionsOf(user.role), by: 'session' });
}

/** Returns where a session is started from. */
export const visitorOf = ({ ip, headers }: FastifyRequest): Visitor => ({
  address: ip,
  device: (headers['user-agent'] ?? '').slice(0, 300),
});

export const wrongCredentials = () =>
  new KontorError(401, 'wrong_credentials', 'E-Mail-Adresse oder Passwort stimmen nicht.');

export function sessionOf(principal: Principal): Session {
  return {
    user: { id: principal.userId ?? principal.email, name: principal.name, email: principal.email },
    company: { id: principal.company, name: principal.companyName },
    role: isRole(principal.role) ? principal.role : 'viewer',
    permissions: [...principal.permissions],
  };
}

/**
 * Returns the site under which the browser sees us; passkeys are bound to its name. @throws 422 if it differs from Kontor's own
 * address
 */
export function siteOf({ headers }: FastifyRequest, publicUrl: string): Site {
  const own = new URL(publicUrl);
  const seen = URL.parse(headers.origin ?? '');
  if (seen?.hostname === own.hostname && seen.protocol === own.protocol)
    return { host: own.hostname, origin: seen.origin };
  throw unprocessable(
    'passkey_site',
    `Passkeys gehen nur unter der Adresse, für die Kontor eingerichtet ist (${own.hostname}).`,
  );
}

/** Returns the caller as a user with an account. @throws 403 for programs */
export function personOf({ userId, name, email, company, companyName, session }: Principal) {
  if (userId === undefined || session === undefined) throw peopleOnly();
  return { userId, name, email, company, companyName, sessionId: session.id };
}
