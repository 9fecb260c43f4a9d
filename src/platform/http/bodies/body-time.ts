import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorBody } from '#platform/http/error-body.ts';
import { KontorError } from '#platform/errors.ts';

/** Time in ms in which a body that is not an uploaded file must have arrived. */
export const BODY_MS = 120_000;

/**
 * Every body must arrive within `bodyMs`, even if it arrives steadily but slowly: endless connections cost a client nothing
 * (T22). Uploaded files have the upload's time limit, which the server enforces itself.
 */
export function limitBodyTime(app: FastifyInstance, bodyMs: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions, id }, reply) => {
    const comes = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined;
    const { call } = routeOptions.config;
    const isFile = call?.upload !== undefined || call?.bytes === true;
    // Requests that pages make inside this process are complete at once.
    if (!comes || isFile || !(raw.socket instanceof Socket)) return;
    const timer = setTimeout(() => {
      if (raw.complete) return;
      if (reply.raw.headersSent) raw.socket.destroy();
      else refuse(raw.socket, tooLate(), id);
    }, bodyMs);
    raw.once('close', () => clearTimeout(timer));
  });
  app.addHook('onResponse', async ({ raw }) => dropRest(raw));
}

/** Answers a request that cannot be parsed, or that arrives too slowly, with the usual error body. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  refuse(socket, refusalOf(error), '');
}

function refusalOf(error: NodeJS.ErrnoException): KontorError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooLate();
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new KontorError(431, 'headers_too_large', 'Die Kopfzeilen der Anfrage sind zu groß.');
  return new KontorError(400, 'unreadable', 'Die Anfrage ist nicht lesbar.');
}

const tooLate = () =>
  new KontorError(
    408,
    'body_too_late',
    'Die Anfrage kam nicht in der vorgesehenen Zeit vollständig an. Es wurde nichts gespeichert. Bitte prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
  );

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Writes to the socket directly, as the framework would wait for the request to end. */
function refuse(socket: Socket, error: KontorError, requestId: string): void {
  const { status, body } = errorBody(error, requestId);
  const text = JSON.stringify(body);
  if (socket.writable)
    socket.write(
      [
        `HTTP/1.1 ${status} ${reasons[status] ?? ''}`,
        'connection: close',
        'cache-control: no-store',
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(text)}`,
        '',
        text,
      ].join('\r\n'),
    );
  socket.destroy();
}

/** If a form is refused half way, the unread body would block the next request on the connection: it is read and dropped. */
function dropRest(raw: FastifyRequest['raw']): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
}
