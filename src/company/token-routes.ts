import type { FastifyInstance } from 'fastify';
import { addToken, listTokens, removeToken } from '#auth/tokens.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { ownerOnly } from './member-routes.ts';
import type { AccountDeps } from './sign-in.ts';

/** API tokens: what programs sign in with. */
export function tokenRoutes(app: FastifyInstance, { database, clock, ids }: AccountDeps): void {
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
