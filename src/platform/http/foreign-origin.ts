import type { FastifyRequest } from 'fastify';
import { KontorError } from '#platform/errors.ts';

/** T14: another site may make a browser send the cookie along, but it cannot forge these headers. */
export function refuseForeignOrigin(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
  if (request.principal?.by === 'token') return;
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const sameOrigin = origin !== undefined && hostOf(origin) === request.headers.host;
  if (
    site === 'same-origin' ||
    (site === undefined && sameOrigin) ||
    (origin === undefined && request.headers['x-kontor'] !== undefined)
  )
    return;
  throw new KontorError(403, 'foreign_origin', 'Die Anfrage kam nicht von dieser Anwendung.');
}

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}
