import { betterAuth } from 'better-auth';
import { hashPassword } from 'better-auth/crypto';
import { isRole } from './roles.ts';
import { pg } from '#platform/db/pg.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';

export type AuthOptions = { database: Database; secret: string; publicUrl: string; ids: Ids };
export type Auth = ReturnType<typeof makeAuth>;

const idleSeconds = 12 * 60 * 60;
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;
/** How far a session's end may lag behind its use before it is written again. */
const refreshMs = 15 * 60 * 1000;

/** The name of the session cookie; `__Host-` binds it to this host and to https. */
export const cookieName = (publicUrl: string) => (publicUrl.startsWith('https:') ? '__Host-kontor' : 'kontor');

/** Sign-in, passwords and sessions by better-auth; sign-up is closed, users are made by an administrator. */
export function makeAuth({ database, secret, publicUrl, ids }: AuthOptions) {
  const secure = publicUrl.startsWith('https:');
  return betterAuth({
    secret,
    baseURL: publicUrl,
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false }, // src/platform/http/failure-limiter.ts counts by account and by address
    database: { db: database.kysely, type: 'postgres' },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 128 },
    session: {
      expiresIn: idleSeconds,
      updateAge: refreshMs / 1000,
      additionalFields: { activeOrganizationId: { type: 'string', required: false, input: false } },
    },
    advanced: {
      useSecureCookies: false,
      database: { generateId: () => ids.id() },
      cookies: {
        session_token: {
          name: cookieName(publicUrl),
          attributes: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
        },
      },
    },
  });
}

export type SessionUser = {
  userId: string;
  name: string;
  email: string;
  role: string;
  company: string;
  companyName: string;
};

/**
 * Who holds a session token: one query, because every request asks. Prolongs the session while it is used (12 h idle,
 * 7 days at most, T15). The active company is the session's, else the user's first.
 */
export async function userOfSession(database: Database, token: string, clock: Clock): Promise<SessionUser | null> {
  const now = clock.now();
  const { rows } = await pg<{
    id: string;
    name: string;
    email: string;
    role: string;
    company: string;
    companyName: string;
    expiresAt: Date;
    createdAt: Date;
  }>`
    select u.id, u.name, u.email, m.role, o.id as company, o.name as "companyName", s."expiresAt", s."createdAt"
    from session s
    join "user" u on u.id = s."userId"
    join member m on m."userId" = u.id
    join organization o on o.id = m."organizationId"
    where s.token = ${token}
    order by (o.id = s."activeOrganizationId") desc nulls last, m."createdAt", o.id
    limit 1`.execute(database.kysely);
  const row = rows[0];
  if (!row || row.expiresAt <= now || now.getTime() - row.createdAt.getTime() > maxAgeMs || !isRole(row.role))
    return null;
  const expires = new Date(now.getTime() + idleSeconds * 1000);
  if (expires.getTime() - row.expiresAt.getTime() > refreshMs) {
    await pg`update session set "expiresAt" = ${expires}, "updatedAt" = ${now} where token = ${token}`.execute(
      database.kysely,
    );
  }
  return {
    userId: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    company: row.company,
    companyName: row.companyName,
  };
}

/** Makes a user with a password as member of a company. Throws on a used address (SQLSTATE 23505). */
export async function createUser(
  database: Database,
  ids: Ids,
  clock: Clock,
  user: { name: string; email: string; password: string; company: string; role: string },
): Promise<string> {
  const userId = ids.id();
  const now = clock.now();
  const hash = await hashPassword(user.password);
  await database.kysely.transaction().execute(async (trx) => {
    await pg`insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values (${userId}, ${user.name}, ${user.email.toLowerCase()}, true, ${now}, ${now})`.execute(trx);
    await pg`insert into account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
      values (${ids.id()}, ${userId}, 'credential', ${userId}, ${hash}, ${now}, ${now})`.execute(trx);
    await pg`insert into member (id, "organizationId", "userId", role, "createdAt")
      values (${ids.id()}, ${user.company}, ${userId}, ${user.role}, ${now})`.execute(trx);
  });
  return userId;
}

/** Makes a company; its id is the tenant of everything it owns. */
export async function createCompany(database: Database, ids: Ids, clock: Clock, name: string): Promise<string> {
  const company = ids.id();
  await pg`insert into organization (id, name, slug, "createdAt") values (${company}, ${name}, ${company.toLowerCase()}, ${clock.now()})`.execute(
    database.kysely,
  );
  return company;
}

/** Whether this installation has no user yet. */
export async function isEmpty(database: Database): Promise<boolean> {
  const { rows } = await pg<{ empty: boolean }>`select not exists (select 1 from "user") as empty`.execute(
    database.kysely,
  );
  return rows[0]?.empty ?? true;
}
