import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call } from '#shared/http/call.ts';
import { KontorError } from '#platform/errors.ts';
import { BodyReader } from './body-reader.ts';
import { mediaTypeText } from '#platform/http/error-body.ts';
import type { Slot } from '#platform/http/questions/questions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent on routes that are not API calls. */
    takesBody?: boolean;
    call?: Call;
  }
  interface FastifyRequest {
    /** Waits until the request may run its expensive read (its turn in the queue); null if it needs none. */
    takeTurn: (() => Promise<Slot>) | null;
  }
}

/** In bytes: parsing a larger body blocks everybody, so it waits for the request's turn. */
const LARGE_BODY = 64 * 1024;
/** In bytes: a larger body is parsed in a separate thread. Parsing 6 MB of rows took 0.6 s, in which no request was answered. */
const APART = 256 * 1024;

const readApart = new WeakSet<object>();
/** Whether the separate thread parsed the body and checked it against the call's schema. */
export const isReadElsewhere = ({ body }: FastifyRequest): boolean =>
  typeof body === 'object' && body !== null && readApart.has(body);

/** Whether the body is passed on as bytes, to be parsed elsewhere. */
export const isParsedElsewhere = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.call?.answeredApart === true;

export const takesBody = (call: Call): boolean => call.body !== undefined || call.upload !== undefined;

export const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

/** Whether the body is compressed: then its announced size is not its real one. */
export const isCompressed = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity';

/**
 * Refuses a compressed multipart form: forms bypass decompression, so the request would hang until its time is over.
 * @throws 415
 */
export function refusePackedForm(request: FastifyRequest): void {
  if (!isCompressed(request) || request.headers['content-type']?.toLowerCase().startsWith('multipart/') !== true)
    return;
  throw new KontorError(
    415,
    'content_encoding',
    'Ein Formular wird nur ungepackt angenommen, ohne Content-Encoding; die Datei darin darf gepackt sein. Es wurde nichts gespeichert.',
  );
}

/** Registers the parsers of JSON and URL-encoded bodies. Calls parse multipart forms themselves. */
export function readJsonAndForms(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const reader = new BodyReader();
  /** Waits for the request's turn. Returns undefined for a body to parse in this thread: it is not large enough, or no JSON. */
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
  // Many calls of the specification are POSTs without a body, with any content type.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (Buffer.isBuffer(body) && !isUtf8(body)) return done(notUtf8());
    if (isParsedElsewhere(request)) return done(null, body);
    const text = String(body);
    const answer = (read: object | undefined) =>
      read === undefined ? parseJson(request, text, done) : done(null, read);
    if (text === '' || takesNothing(request)) done(null, undefined);
    else if (text.length < LARGE_BODY) void parseJson(request, text, done);
    else readLarge(request, text).then(answer, done);
    return undefined;
  });
  // Clients of the specification send an id as plain text to calls that have it in their address already.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (request, _body, done) => {
    if (takesNothing(request)) done(null, undefined);
    else done(new KontorError(415, 'media_type', mediaTypeText));
  });
  // Some calls of the specification accept forms (CAT-11, COL-01); their fields are texts, parsed by the same schemas.
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

/** Calls without a body ignore any body that is sent. */
const takesNothing = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.takesBody === false;
