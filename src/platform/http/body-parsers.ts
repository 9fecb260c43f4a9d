import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call } from '#shared/http/call.ts';
import { KontorError } from '#platform/errors.ts';
import { mediaTypeText } from './error-body.ts';
import type { Turn } from './questions/questions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for routes that are not a call of the API. */
    takesBody?: boolean;
  }
  interface FastifyRequest {
    /** Waits for the turn of a question; undefined for what is none. */
    takeTurn: (() => Promise<Turn>) | null;
  }
}

/** Reading a body larger than this holds everybody up, so that it is read in the turn of its question. */
const LARGE_BODY = 64 * 1024;

export const takesBody = (call: Call): boolean => call.body !== undefined || call.upload !== undefined;

export const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

/** What bodies of requests are read as. Multipart forms are read by their calls. */
export function readJsonAndForms(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  // Many of the specification's calls are POSTs without a body, whatever content type the client names.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' || takesNothing(request)) done(null, undefined);
    else if (request.takeTurn === null || body.length < LARGE_BODY) void parseJson(request, String(body), done);
    else request.takeTurn().then(() => parseJson(request, String(body), done), done);
  });
  // The specification's clients send an id alone, as text, along with calls that have it in their address.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (request, _body, done) => {
    if (takesNothing(request)) done(null, undefined);
    else done(new KontorError(415, 'media_type', mediaTypeText));
  });
  // Some of the specification's calls may come as forms (CAT-11, COL-01); their fields are texts, read by the same schemas.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
}

/** Calls without a body take whatever is sent with them for nothing. */
const takesNothing = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.takesBody === false;
