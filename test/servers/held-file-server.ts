import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';

const Listening = z.object({ port: z.number() });

export type HeldFileServer = {
  url: string;
  /** Sends the remaining bytes to all waiting requests, and the whole file at once to later ones. */
  release(): void;
  close(): void;
};

/**
 * Serves a file, but holds everything after its first line until released, so that an import from it runs as long as a test
 * needs.
 */
export async function heldFileServer(csv: string): Promise<HeldFileServer> {
  const released = Promise.withResolvers<void>();
  const cut = csv.indexOf('\n') + 1;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': Buffer.byteLength(csv) });
    response.write(csv.slice(0, cut));
    void released.promise.then(() => response.end(csv.slice(cut)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${Listening.parse(server.address()).port}/artikel.csv`,
    release: () => released.resolve(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
