import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * To HEAD nothing is sent, so nothing of a stream is read: the framework would compute, read and pack all of it and throw it away. Its headers
 * stay as they are.
 */
export function answerHeads(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method }, _reply, payload) => {
    if (method !== 'HEAD' || !(payload instanceof Readable)) return payload;
    payload.on('error', () => undefined).destroy();
    return Readable.from([]);
  });
}
