import type { FastifyRequest } from 'fastify';
import { KontorError } from '#platform/errors.ts';
import { type AuditSink, recordRequest } from './audit.ts';

/** T14: another site may make a browser send the cookie along, but it cannot forge these headers. @throws 403, written into the security log */
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

/** A program asks: no browser sends a token along by itself. It need not be one that is known. */
export const hasToken = (request: FastifyRequest): boolean => /^Bearer /i.test(request.headers.authorization ?? '');

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}
