import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

/** Compresses responses for clients that accept it. Call it before any route is added. */
export async function packAnswers(app: FastifyInstance): Promise<void> {
  // Brotli's default level suits files that are compressed once; here a million lines are compressed while they are sent.
  await app.register(compress, {
    threshold: 2048,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 6 },
  });
  // Runs after the hook with which a route compresses.
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), weakenEtag];
  });
}

/**
 * Compressed bytes differ from those that a file's strong ETag names, and ranges of them cannot be served. They get a weak ETag
 * (RFC 9110, 8.8.3), which still answers that nothing has changed.
 */
const weakenEtag: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.hasHeader('content-encoding')) {
    const tag = reply.getHeader('etag');
    if (typeof tag === 'string' && tag.startsWith('"')) reply.header('etag', `W/${tag}`);
    reply.removeHeader('accept-ranges');
  }
  done(null, payload);
};
