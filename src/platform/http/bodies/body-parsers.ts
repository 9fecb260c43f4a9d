import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call } from '#shared/http/call.ts';
import { KontorError } from '#platform/errors.ts';
import { BodyReader } from './body-reader.ts';
import { mediaTypeText } from '#platform/http/error-body.ts';
import type { Turn } from '#platform/http/questions/questions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for routes that are not a call of the API. */
    takesBody?: boolean;
    call?: Call;
  }
  interface FastifyRequest {
    /** Waits for the turn of a question; undefined for what is none. */
    takeTurn: (() => Promise<Turn>) | null;
  }
}

/** Reading a body larger than this holds everybody up, so that it is read in the turn of its question. */
const LARGE_BODY = 64 * 1024;
/** Reading a body larger than this is left to a thread of its own: 6 MB of rows took 0.6 s, in which nobody was answered. */
const APART = 256 * 1024;

const readApart = new WeakSet<object>();
/** Whether the body was checked by its call's schema while it was read. */
export const isReadApart = ({ body }: FastifyRequest): boolean =>
  typeof body === 'object' && body !== null && readApart.has(body);

/** Whether the body goes on as bytes. */
export const isAnsweredApart = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.call?.answeredApart === true;

export const takesBody = (call: Call): boolean => call.body !== undefined || call.upload !== undefined;

export const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

/** Whether the body is packed for its way: what is announced of it is not what it becomes. */
export const isPacked = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity';

/** A form is taken apart as it comes, past whoever unpacks: it would wait for both until its time is over. @throws 415 */
export function refusePackedForm(request: FastifyRequest): void {
  if (!isPacked(request) || request.headers['content-type']?.toLowerCase().startsWith('multipart/') !== true) return;
  throw new KontorError(
    415,
    'content_encoding',
    'Ein Formular wird nur ungepackt angenommen, ohne Content-Encoding; die Datei darin darf gepackt sein. Es wurde nichts gespeichert.',
  );
}

/** What bodies of requests are read as. Multipart forms are read by their calls. */
export function readJsonAndForms(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const reader = new BodyReader();
  /** Waits for the request's turn. What has to be read here is undefined: a body that is not so large, or no JSON. */
  const readLarge = async (request: FastifyRequest, text: string): Promise<object | undefined> => {
    await request.takeTurn?.();
    const { call } = request.routeOptions.config;
    if (call === undefined || text.length < APART) return undefined;
    const body = (await reader.read(call, text))?.body;
    if (typeof body !== 'object' || body === null) return undefined;
    readApart.add(body);
    return body;
  };
  const parseJson = app.getDefaultJsonParser('error', 'error');
  // Many of the specification's calls are POSTs without a body, whatever content type the client names.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (Buffer.isBuffer(body) && !isUtf8(body)) return done(notUtf8());
    if (isAnsweredApart(request)) return done(null, body);
    const text = String(body);
    const answer = (read: object | undefined) =>
      read === undefined ? parseJson(request, text, done) : done(null, read);
    if (text === '' || takesNothing(request)) done(null, undefined);
    else if (text.length < LARGE_BODY) void parseJson(request, text, done);
    else readLarge(request, text).then(answer, done);
    return undefined;
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

const notUtf8 = () =>
  new KontorError(
    400,
    'not_utf8',
    'Die Anfrage ist nicht in UTF-8 geschrieben: Umlaute und andere Zeichen gingen verloren. Es wurde nichts gespeichert; bitte senden Sie JSON in UTF-8.',
  );

/** Calls without a body take whatever is sent with them for nothing. */
const takesNothing = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.takesBody === false;
