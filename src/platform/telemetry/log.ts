import { pino, type Logger } from 'pino';
import { lineContext } from './line-context.ts';

export type Log = Logger;

/** Removes user part, query and fragment of an address: addresses of feeds carry passwords and tokens there (T18). */
export function safeUrl(address: string): string {
  try {
    const url = new URL(address, 'http://local');
    const path = url.pathname.replace(/^\/feeds\/[^/]+/, '/feeds/…');
    return url.host === 'local' ? path : `${url.protocol}//${url.host}${path}`;
  } catch {
    return '(unlesbare Adresse)';
  }
}

/** Creates a logger of JSON lines in UTC. Serializers list the allowed members instead of redacting forbidden ones (T18). */
export function makeLog(level: string, destination?: NodeJS.WritableStream): Log {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: null,
    // The request or job of a line, whichever code writes it.
    mixin: () => ({ ...lineContext() }),
    serializers: {
      req: (request: { id: string; ip: string; method: string; url: string }) => ({
        id: request.id,
        address: request.ip,
        method: request.method,
        url: safeUrl(request.url),
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
      err: (error: { name?: string; message?: string; code?: string; stack?: string }) => ({
        name: error.name,
        code: error.code,
        message: error.message,
        stack: error.stack,
      }),
    },
  };
  // Not pino's own stream: after a line that nobody reads any more it waits for ever, and the program with it.
  return pino(options, destination ?? process.stdout);
}
