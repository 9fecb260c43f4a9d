import type { FastifyRequest } from 'fastify';
import type { Principal } from '#platform/http/server.ts';
import type { SignInCookies } from './cookies.ts';
import { permissionsOf } from './roles.ts';
import { userOfSession } from './sessions.ts';
import { type TokenDeps, principalOfToken } from './tokens.ts';

type IdentifyDeps = TokenDeps & { cookies: SignInCookies };

/** Identifies the caller by `Authorization: Bearer <token>`, otherwise by the session cookie. */
export function identifier(deps: IdentifyDeps): (request: FastifyRequest) => Promise<Principal | null> {
  const { database, clock, cookies } = deps;
  return async (request) => {
    const bearer = request.headers.authorization?.match(/^Bearer +(\S{20,200})$/i)?.[1];
    if (bearer !== undefined) return principalOfToken(deps, bearer, request.ip);
    const token = cookies.tokenIn(request.headers.cookie);
    if (token === undefined) return null;
    // An event stream rechecks its session regularly; that must not prolong the session.
    const user = await userOfSession({ database, clock }, token, request.principal === null);
    return user && { ...user, permissions: permissionsOf(user.role), by: 'session' };
  };
}
