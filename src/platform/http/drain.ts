import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const quietMs = 100;
const longestMs = 2_000;

/**
 * Keeps listening for a moment while the server closes: until all requests are answered and nobody has connected for 100 ms, for
 * 2 s at most. Closing a listening socket resets the connections waiting in its queue. A server that still listens answers them
 * with 503, so that a proxy retries with the next process and no connection simply breaks. Hooks that end streams must be
 * registered before this one.
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
