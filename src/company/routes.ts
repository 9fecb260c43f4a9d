import type { FastifyInstance } from 'fastify';
import { companyNameOf } from './company-name.ts';
import type { Session } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { FailureLimiter } from '#platform/http/failure-limiter.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import { createUser, userOfSession, type Auth } from '#auth/auth.ts';
import { sessionToken } from '#auth/identify.ts';
import { isRole, permissionsOf, roleOf } from '#auth/roles.ts';
import { addToken, listTokens, removeToken } from '#auth/tokens.ts';
import { removeViewsOf } from './saved-views.ts';

export type AccountDeps = {
  database: Database;
  auth: Auth;
  clock: Clock;
  ids: Ids;
  cookieName: string;
  signInTries: SignInTries;
};

/** How many wrong passwords are tried in a quarter of an hour, for an account and from an address (T16). */
export type SignInTries = { account: number; address: number };
export const SIGN_IN_TRIES: SignInTries = { account: 5, address: 50 };

const quarterHour = 15 * 60 * 1000;

export function accountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  sessionRoutes(app, deps);
  tokenRoutes(app, deps);
  memberRoutes(app, deps);
}

function sessionRoutes(app: FastifyInstance, { database, auth, clock, cookieName, signInTries }: AccountDeps): void {
  const byAccount = new FailureLimiter(clock, signInTries.account, quarterHour, 'Anmeldeversuche');
  const byAddress = new FailureLimiter(clock, signInTries.address, quarterHour, 'Anmeldeversuche');

  route(app, api.signIn, async ({ body, request, reply }) => {
    const account = body.email.toLowerCase();
    const tries = [byAddress.take(request.ip), byAccount.take(account)];
    const release = () => {
      for (const one of tries) one.release();
    };
    const answer = await auth.api
      .signInEmail({ body: { email: account, password: body.password }, asResponse: true })
      .catch((error: unknown) => {
        // Refusals come as answers; anything thrown that is no refusal is an outage and must not read as a wrong password.
        if (error instanceof Error && error.name === 'APIError') return undefined;
        release();
        throw error;
      });
    const cookies = answer?.ok ? answer.headers.getSetCookie() : [];
    const token = cookies
      .map((cookie) => sessionToken(cookie.split(';')[0], cookieName))
      .find((found) => found !== undefined);
    const user = token === undefined ? null : await userOfSession(database, token, clock);
    if (!user) throw new KontorError(401, 'wrong_credentials', 'E-Mail-Adresse oder Passwort stimmen nicht.');
    release();
    byAccount.clear(account);
    reply.header(
      'set-cookie',
      cookies.filter((cookie) => cookie.startsWith(`${cookieName}=`)),
    );
    return sessionOf({ ...user, permissions: permissionsOf(user.role), by: 'session' });
  });

  route(app, api.session, async ({ principal }) => {
    return sessionOf({ ...principal, companyName: await companyNameOf(database, principal) });
  });

  route(app, api.signOut, async ({ request, reply }) => {
    const token = sessionToken(request.headers.cookie, cookieName);
    if (token !== undefined) await database.kysely.deleteFrom('session').where('token', '=', token).execute();
    const secure = cookieName.startsWith('__Host-') ? '; Secure' : '';
    reply.header('set-cookie', `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure}`);
    return { ok: true as const };
  });
}

function sessionOf(principal: Principal): Session {
  return {
    user: { id: principal.userId ?? principal.email, name: principal.name, email: principal.email },
    company: { id: principal.company, name: principal.companyName },
    role: isRole(principal.role) ? principal.role : 'viewer',
    permissions: [...principal.permissions],
  };
}

function tokenRoutes(app: FastifyInstance, { database, clock, ids }: AccountDeps): void {
  route(app, api.tokens, ({ principal }) =>
    database.company(principal.company, (trx) => listTokens(trx, principal.company)),
  );

  route(app, api.createToken, async ({ principal, body }) => {
    if (body.role === 'owner' && principal.role !== 'owner') throw ownerOnly();
    const secret = ids.secret();
    const id = await database.company(principal.company, (trx) =>
      addToken(trx, ids, principal.company, { ...body, secret }),
    );
    return {
      id,
      name: body.name,
      role: body.role,
      createdAt: clock.now().toISOString(),
      lastUsedAt: null,
      token: secret,
    };
  });

  route(app, api.deleteToken, async ({ principal, params }) => {
    const gone = await database.company(principal.company, (trx) => removeToken(trx, principal.company, params.id));
    if (!gone) throw notFound('Diesen API-Zugang');
    return { ok: true as const };
  });
}

const ownerOnly = () => new KontorError(403, 'not_allowed', 'Nur der Inhaber kann Inhaber anlegen oder entfernen.');

function memberRoutes(app: FastifyInstance, { database, clock, ids }: AccountDeps): void {
  route(app, api.members, async ({ principal }) => {
    const rows = await database.kysely
      .selectFrom('member as m')
      .innerJoin('user as u', 'u.id', 'm.userId')
      .select(['u.id', 'u.name', 'u.email', 'm.role'])
      .where('m.organizationId', '=', principal.company)
      .orderBy('u.name')
      .orderBy('u.id')
      .execute();
    return rows.map((row) => ({ ...row, role: roleOf(row.role) }));
  });

  route(app, api.createMember, async ({ principal, body }) => {
    if (body.role === 'owner' && principal.role !== 'owner') throw ownerOnly();
    try {
      const id = await createUser(database, ids, clock, { ...body, company: principal.company });
      return { id, name: body.name, email: body.email.toLowerCase(), role: body.role };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
      throw new KontorError(422, 'email_taken', 'Diese E-Mail-Adresse ist bereits vergeben.', {
        fields: [{ field: 'email', message: 'bereits vergeben' }],
        cause: error,
      });
    }
  });

  route(app, api.deleteMember, async ({ principal, params }) => {
    if (params.id === principal.userId)
      throw new KontorError(422, 'yourself', 'Sie können sich nicht selbst entfernen.');
    const member = { organizationId: principal.company, userId: params.id };
    const found = await database.kysely
      .selectFrom('member')
      .select('role')
      .where((eb) => eb.and(member))
      .executeTakeFirst();
    if (!found) throw notFound('Diesen Benutzer');
    if (found.role === 'owner' && principal.role !== 'owner') throw ownerOnly();
    await database.kysely.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('member')
        .where((eb) => eb.and(member))
        .execute();
      // A user belongs to one company here; without it no session and no account may stay behind.
      await trx
        .deleteFrom('user')
        .where('id', '=', params.id)
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('member').select('member.id').where('member.userId', '=', params.id))),
        )
        .execute();
    });
    await database.company(principal.company, (trx) => removeViewsOf(trx, principal.company, params.id));
    return { ok: true as const };
  });
}
