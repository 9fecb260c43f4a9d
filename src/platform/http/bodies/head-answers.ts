import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * Sends no body for HEAD requests: the framework would compute, read and compress a stream only to drop it. The headers stay
 * unchanged.
 */
export function answerHeads(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method }, _reply, payload) => {
    if (method !== 'HEAD' || !(payload instanceof Readable)) return payload;
    payload.on('error', () => undefined).destroy();
    return Readable.from([]);
  });
}
