import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

/** Packs answers for whoever takes them so. To be called before any route is added. */
export async function packAnswers(app: FastifyInstance): Promise<void> {
  // Brotli's default level is made for files packed once; here a million lines are packed while they are sent.
  await app.register(compress, {
    threshold: 2048,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 6 },
  });
  // After the hook by which a route packs.
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), sayOfPacked];
  });
}

/**
 * Packed bytes are not those that the strong tag of a file names, and of them no part can be had: they have a weak one (RFC 9110, 8.8.3),
 * which still says that there is nothing new.
 */
const sayOfPacked: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.hasHeader('content-encoding')) {
    const tag = reply.getHeader('etag');
    if (typeof tag === 'string' && tag.startsWith('"')) reply.header('etag', `W/${tag}`);
    reply.removeHeader('accept-ranges');
  }
  done(null, payload);
};
