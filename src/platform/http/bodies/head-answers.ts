import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Sends no body for HEAD: the framework would compute and compress a whole stream to drop it. Headers stay unchanged. */
export function answerHeads(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method }, _reply, payload) => {
    if (method !== 'HEAD' || !(payload instanceof Readable)) return payload;
    payload.on('error', () => undefined).destroy();
    return Readable.from([]);
  });
}
