import { betterAuth } from 'better-auth';
import { hashPassword } from 'better-auth/crypto';
import { isRole } from './roles.ts';
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
  const row = await database.kysely
    .selectFrom('session as s')
    .innerJoin('user as u', 'u.id', 's.userId')
    .innerJoin('member as m', 'm.userId', 'u.id')
    .innerJoin('organization as o', 'o.id', 'm.organizationId')
    .select(['u.id', 'u.name', 'u.email', 'm.role', 'o.id as company', 'o.name as companyName'])
    .select(['s.expiresAt', 's.createdAt'])
    .where('s.token', '=', token)
    .orderBy(
      (eb) => eb('o.id', '=', eb.ref('s.activeOrganizationId')),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('m.createdAt')
    .orderBy('o.id')
    .limit(1)
    .executeTakeFirst();
  if (!row || row.expiresAt <= now || now.getTime() - row.createdAt.getTime() > maxAgeMs || !isRole(row.role))
    return null;
  const expires = new Date(now.getTime() + idleSeconds * 1000);
  if (expires.getTime() - row.expiresAt.getTime() > refreshMs) {
    await database.kysely
      .updateTable('session')
      .set({ expiresAt: expires, updatedAt: now })
      .where('token', '=', token)
      .execute();
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
    const { name, company, role } = user;
    const at = { createdAt: now, updatedAt: now };
    const email = user.email.toLowerCase();
    await trx
      .insertInto('user')
      .values({ id: userId, name, email, emailVerified: true, ...at })
      .execute();
    await trx
      .insertInto('account')
      .values({ id: ids.id(), accountId: userId, providerId: 'credential', userId, password: hash, ...at })
      .execute();
    await trx
      .insertInto('member')
      .values({ id: ids.id(), organizationId: company, userId, role, createdAt: now })
      .execute();
  });
  return userId;
}

/** Makes a company; its id is the tenant of everything it owns. */
export async function createCompany(database: Database, ids: Ids, clock: Clock, name: string): Promise<string> {
  const company = ids.id();
  await database.kysely
    .insertInto('organization')
    .values({ id: company, name, slug: company.toLowerCase(), createdAt: clock.now() })
    .execute();
  return company;
}

/** Whether this installation has no user yet. */
export async function isEmpty(database: Database): Promise<boolean> {
  return (await database.kysely.selectFrom('user').select('id').limit(1).executeTakeFirst()) === undefined;
}
