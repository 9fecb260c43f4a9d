import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Remote, UploadFailure } from './remote.ts';
import { openSftp } from './sftp.ts';

/** Signs every user in and answers keep-alives, but nothing else from some point on. */
describe('an SFTP server that stops answering on an open connection', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hostKey = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  let server: Server;
  let fingerprint = '';
  let begins = false;
  const asked: string[] = [];
  beforeAll(async () => {
    const ssh = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
      connection.on('error', () => undefined);
      connection.on('authentication', (context) => context.accept());
      connection.on('session', (accept) => {
        accept().on('sftp', (begin) => {
          asked.push('sftp');
          if (begins) begin().on('OPENDIR', () => asked.push('names'));
        });
      });
    });
    server = createServer((socket) => ssh.injectSocket(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const failure: unknown = await opened().catch((error: unknown) => error);
    fingerprint = failure instanceof UploadFailure ? failure.fingerprint : '';
  });
  afterAll(() => {
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  const opened = (): Promise<Remote> => {
    const { port } = server.address() as AddressInfo;
    const account = { host: '127.0.0.1', port, user: 'kanal', pass: 'geheim', fingerprint };
    return openSftp(connect(port, account.host), account, { begin: 1000, silence: 300 });
  };
  const inTime = (work: Promise<unknown>) =>
    Promise.race([work.catch((error: unknown) => error), wait(5000, 'still waited for')]);

  it('FTP-04 is given up soon after the sign-in if it opens no SFTP session', async () => {
    begins = false;
    const failure = await inTime(opened());
    expect(asked).toEqual(['sftp']);
    expect(failure).toMatchObject({ code: 'refused', message: expect.stringContaining('SFTP') as string });
  });

  it('FTP-04 counts as a lost connection if it does not answer a request', async () => {
    begins = true;
    const remote = await opened();
    expect(await inTime(remote.names('/eingang'))).toMatchObject({ code: 'cut' });
    expect(asked).toEqual(['sftp', 'names']);
    remote.close();
  });
});
