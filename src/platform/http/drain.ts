import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const quietMs = 100;
const longestMs = 2_000;

/**
 * Watches who connects. The answer resolves once nobody has connected for 100 ms, after 2 s at the latest.
 * A listening socket that closes resets the connections which wait in its queue. A server that goes on listening for
 * this moment answers them with 503, so a proxy asks the next process and no request is lost without a word.
 */
export function watchConnections(server: Server): () => Promise<void> {
  let last = -Infinity;
  server.on('connection', () => {
    last = performance.now();
  });
  return async () => {
    const end = performance.now() + longestMs;
    while (performance.now() < Math.min(last + quietMs, end)) await wait(quietMs / 4);
  };
}
