import type { FastifyInstance } from 'fastify';
import { permissionsOf } from '#auth/roles.ts';
import { addToken, listTokens, type Maker, removeToken } from '#auth/tokens.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { roles } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { ownerOnly } from './member-routes.ts';
import type { AccountDeps } from './sign-in.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const USUAL_DAYS = 365;

/** API tokens: what programs sign in with. */
export function tokenRoutes(app: FastifyInstance, { database, clock, ids }: AccountDeps): void {
  route(app, api.tokens, ({ principal }) =>
    database.company(principal.company, (trx) => listTokens(trx, principal.company)),
  );

  route(app, api.createToken, async ({ principal, body, audit }) => {
    const { name, role } = body;
    audit.about(`${name}, ${roles[role].label}`);
    if (role === 'owner' && principal.role !== 'owner') throw ownerOnly();
    const permissions = permissionsOf(role).filter(
      (one) => one === 'enter' || (body.permissions?.includes(one) ?? true),
    );
    if (permissions.some((one) => !principal.permissions.includes(one)))
      throw new KontorError(403, 'not_allowed', 'Ein Zugang darf nicht mehr dürfen als Sie selbst.');
    if (permissions.length === 1)
      throw unprocessable('no_permission', 'Bitte wählen Sie mindestens ein Recht aus.', [
        { field: 'permissions', message: 'Bitte wählen Sie mindestens ein Recht aus.' },
      ]);
    const now = clock.now();
    const expiresAt = body.lastDay === undefined ? new Date(now.getTime() + USUAL_DAYS * DAY_MS) : endOf(body.lastDay);
    if (expiresAt <= now)
      throw unprocessable('expired', 'Der Zugang wäre schon abgelaufen. Es wurde nichts angelegt.', [
        { field: 'lastDay', message: 'Bitte wählen Sie einen Tag in der Zukunft.' },
      ]);
    const maker = makerOf(principal);
    const secret = ids.secret();
    const id = await database.company(principal.company, async (trx) => {
      const made = await addToken(trx, ids, principal.company, {
        name,
        role,
        secret,
        permissions,
        expiresAt,
        ...maker,
      });
      await audit.within(trx);
      return made;
    });
    return {
      id,
      name,
      role,
      permissions,
      maker: maker.makerName,
      createdAt: now.toISOString(),
      lastUsedAt: null,
      expiresAt: expiresAt.toISOString(),
      token: secret,
    };
  });

  route(app, api.deleteToken, async ({ principal, params, audit }) => {
    const { company } = principal;
    await database.company(company, async (trx) => {
      const name = await removeToken(trx, company, params.id);
      if (name === undefined) throw notFound('Diesen API-Zugang');
      await audit.within(trx, name);
    });
    return { ok: true as const };
  });
}

/** The end of a day as the calendar counts it; by an hour or two it may be another one elsewhere. */
const endOf = (day: string) => new Date(`${day}T23:59:59Z`);

const makerOf = ({ userId, name, token }: Principal): Maker => token ?? { maker: userId ?? null, makerName: name };
