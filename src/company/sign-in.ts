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

/** How many attempts at a password are free, for an account and from an address; later ones have to wait (T16). */
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
  /** Whether a seller account of a real marketplace is active, over which orders come. */
  hasSellerAccount: (trx: Trx, company: string) => Promise<boolean>;
  /** Whether such an account takes that the company asks everybody for a second factor. */
  factorForOrders: boolean;
  sendPersonalMail: SendPersonalMail;
};

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** Begins the session of somebody who has proved to be this user, and hands it to the browser. */
export async function beginSignedIn(
  deps: AccountDeps,
  { request, reply }: Exchange,
  userId: string,
  how: string,
): Promise<Session> {
  const token = await beginSession(deps, userId, visitorOf(request));
  const user = await userOfSession(deps, token, false);
  if (!user) throw wrongCredentials();
  // Before the browser gets the session: none begins that is not in the log.
  await recordOfUser(deps, request, userId, { kind: 'sign_in', result: 'done', what: how });
  reply.header('set-cookie', [deps.cookies.begin(token), deps.cookies.remember(userId, deps.ids.secret())]);
  return sessionOf({ ...user, permissions: permissionsOf(user.role), by: 'session' });
}

/** From where a session is begun. */
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

/** The site that a browser sees us as; passkeys are bound to its name. @throws 422 where it is another than Kontor's own address */
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

/** Who asks, as a person with an account. @throws 403 for programs */
export function personOf({ userId, name, email, company, companyName, session }: Principal) {
  if (userId === undefined || session === undefined) throw peopleOnly();
  return { userId, name, email, company, companyName, sessionId: session.id };
}
