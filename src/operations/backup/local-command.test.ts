import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requestBackup } from './local-command.ts';

/** Returns a data folder whose program listened on this port. */
async function folderOf(port: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-command-'));
  await writeFile(join(folder, 'local-command.json'), JSON.stringify({ port, host: '127.0.0.1', token: 'x' }));
  return folder;
}

/** Returns a data folder whose program answers like this. */
async function answering(answer: RequestListener): Promise<{ folder: string; close: () => void }> {
  const server = createServer(answer);
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return { folder: await folderOf(port), close: () => server.close() };
}

it('a program that no longer listens is named with its address and with advice', async () => {
  // A port of a closed server could be that of another test's by now; nothing listens on this one.
  const folder = await folderOf(1);
  await expect(requestBackup(folder, '/tmp/a.tar')).rejects.toThrow(
    /Unter 127\.0\.0\.1:\d+ nimmt kein Kontor Befehle an.*Es wurde nichts gesichert\. Bitte in einer Minute/,
  );
});

it.each<[string, RequestListener]>([
  ['closes the connection', (_request, response) => response.destroy()],
  ['answers half', (_request, response) => response.end('\n\n{"done":')],
])('a program that %s has made no backup, and the text says so', async (_what, answer) => {
  const { folder, close } = await answering(answer);
  await expect(requestBackup(folder, '/tmp/a.tar')).rejects.toThrow(/nicht zu Ende beantwortet.*keine neue Sicherung/);
  close();
});
