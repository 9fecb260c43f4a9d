import type { FastifyRequest } from 'fastify';
import { KontorError } from '#platform/errors.ts';
import { type AuditSink, recordRequest } from './audit.ts';

/**
 * Refuses requests that another site made a browser send (T14): it can make the browser send our cookie, but cannot forge these
 * headers.
 * @throws 403, logged in the security log
 */
export async function refuseForeignOrigin(request: FastifyRequest, sink: AuditSink | null): Promise<void> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
  const { principal } = request;
  if (principal?.by === 'token' || (principal === null && hasToken(request))) return;
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const sameOrigin = origin !== undefined && hostOf(origin) === request.headers.host;
  if (
    site === 'same-origin' ||
    (site === undefined && sameOrigin) ||
    (origin === undefined && request.headers['x-kontor'] !== undefined)
  )
    return;
  const subject = `${request.method} ${request.routeOptions.url ?? ''}`;
  const what = 'Anfrage, die eine andere Website den Browser senden ließ';
  await recordRequest(sink, request, { kind: 'access', result: 'refused', what, subject });
  throw new KontorError(403, 'foreign_origin', 'Die Anfrage kam nicht von dieser Anwendung.');
}

/** Whether a program sent the request: browsers never send a token on their own. The token may be invalid. */
export const hasToken = (request: FastifyRequest): boolean => /^Bearer /i.test(request.headers.authorization ?? '');

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}
