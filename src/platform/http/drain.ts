import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const quietMs = 100;
const longestMs = 2_000;

/**
 * Keeps the door open for a moment when the server closes: until everything is answered and nobody has connected for
 * 100 ms, for 2 s at most. A listening socket that closes resets the connections which wait in its queue. A server that
 * still listens answers them with 503, so a proxy asks the next process and no request breaks without a word.
 * Streams that end by a hook of their own must have that hook before this one.
 */
export function drainBeforeClose(app: FastifyInstance): void {
  let last = -Infinity;
  let underWay = 0;
  app.server.on('connection', () => {
    last = performance.now();
  });
  app.server.on('request', (_request, response) => {
    underWay++;
    response.on('close', () => {
      underWay--;
      last = performance.now();
    });
  });
  app.addHook('preClose', async () => {
    const end = performance.now() + longestMs;
    while (performance.now() < (underWay > 0 ? end : Math.min(last + quietMs, end))) await wait(quietMs / 4);
  });
}
