import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';

const Listening = z.object({ port: z.number() });

export type HeldFileServer = {
  url: string;
  /** Sends the rest to everybody who asked, and the whole at once to those who ask later. */
  release(): void;
  close(): void;
};

/** Serves a file, but holds all behind its first line until it is told to go on: an import from here runs as long as a test looks. */
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
