import type { FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import { userOfSession } from './auth.ts';
import { permissionsOf } from './roles.ts';
import { whoOfToken } from './tokens.ts';

/** Finds who asks: `Authorization: Bearer <token>`, else the session cookie `name`. */
export function identifier(
  database: Database,
  clock: Clock,
  name: string,
): (request: FastifyRequest) => Promise<Principal | null> {
  return async (request) => {
    const bearer = request.headers.authorization?.match(/^Bearer (\S{20,200})$/)?.[1];
    if (bearer !== undefined) return whoOfToken(database, bearer);
    const token = sessionToken(request.headers.cookie, name);
    if (token === undefined) return null;
    const user = await userOfSession(database, token, clock);
    return user && { ...user, permissions: permissionsOf(user.role), by: 'session' };
  };
}

/** The cookie holds `token.signature`, percent-encoded; the token itself is the secret that the session is found by. */
export function sessionToken(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() !== name) continue;
    const value = part.slice(at + 1).trim();
    const token = value.split(/\.|%2E/i)[0];
    return token !== undefined && /^[\w-]{20,100}$/.test(token) ? token : undefined;
  }
  return undefined;
}
