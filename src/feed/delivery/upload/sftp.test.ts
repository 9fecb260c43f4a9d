import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, UploadFailure } from './remote.ts';
import { openSftp } from './sftp.ts';

/** A server that signs everybody in, and never answers who wants to transfer files. */
describe('a server that opens no SFTP', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hostKey = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  let server: Server;
  let asked = 0;
  beforeAll(async () => {
    const ssh = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
      connection.on('error', () => undefined);
      connection.on('authentication', (context) => context.accept());
      connection.on('session', (accept) => {
        accept().on('sftp', () => {
          asked++;
        });
      });
    });
    server = createServer((socket) => ssh.injectSocket(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });

  const account = (fingerprint: string): Account => {
    const { port } = server.address() as AddressInfo;
    return { host: '127.0.0.1', port, user: 'kanal', pass: 'geheim', fingerprint };
  };
  const opened = (fingerprint: string) => {
    const { host, port } = account(fingerprint);
    return openSftp(connect(port, host), account(fingerprint), 500).catch((error: unknown) => error);
  };

  it('FTP-04 is waited for no longer than for its sign-in', async () => {
    const unknown = await opened('');
    const fingerprint = unknown instanceof UploadFailure ? unknown.fingerprint : '';
    const failure = await Promise.race([opened(fingerprint), wait(5000, 'still waited for')]);
    expect(asked).toBe(1);
    expect(failure).toMatchObject({ code: 'refused', message: expect.stringContaining('SFTP') as string });
  });
});
