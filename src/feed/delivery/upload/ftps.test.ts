import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Certificate } from './certificate.ts';
import { deliver } from './deliver.ts';
import { openFtps } from './ftps.ts';

/** A non-loopback address of this machine: a different host to a client that is connected to 127.0.0.1. */
const elsewhere = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const listening = async (server: Server, host: string): Promise<number> => {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Speaks FTPS from the first byte and names another host for its data connection. */
describe('an untrusted FTPS server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-ftps-'));
  const heard: string[] = [];
  let connections = 0;
  let data: Server;
  let control: Server;
  let line: TLSSocket;
  let certificate: Certificate;
  let secure: { key: Buffer; cert: string };
  let answers: Record<string, string> = {};
  let port = 0;

  beforeAll(async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2'];
    execFileSync('openssl', ['req', ...made, '-subj', '/CN=localhost'], { stdio: 'ignore' });
    const pem = readFileSync(cert, 'utf8');
    certificate = { pem, fingerprint: new X509Certificate(pem).fingerprint256 };
    data = createPlainServer((socket) => {
      connections++;
      socket.destroy();
    });
    const at = await listening(data, elsewhere ?? '127.0.0.1');
    const passive = `227 (${(elsewhere ?? '').replaceAll('.', ',')},${at >> 8},${at & 255})`;
    answers = { USER: '331 .', PASS: '230 .', EPSV: '500 .', PASV: passive };
    // A server that allows files to be removed but not renamed.
    Object.assign(answers, { SIZE: '213 8', RNFR: '350 .', RNTO: '550 .', DELE: '250 .' });
    secure = { key: readFileSync(key), cert: pem };
    control = createServer(secure, (socket) => {
      line = socket;
      socket.on('error', () => socket.destroy());
      socket.write('220 .\r\n');
      socket.on('data', (chunk: Buffer) => {
        for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
          heard.push(line);
          socket.write(`${answers[line.split(' ')[0] ?? ''] ?? '200 .'}\r\n`);
        }
      });
    });
    port = await listening(control, '127.0.0.1');
  });
  afterAll(() => {
    control.close();
    data.close();
    rmSync(folder, { recursive: true });
  });
  const account = (fingerprint: string) => ({ host: '127.0.0.1', port, user: 'kanal', pass: 'geheim', fingerprint });

  it.skipIf(elsewhere === undefined)('T4 cannot direct the data connection to another host', async () => {
    const remote = await openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate);
    await expect(remote.names('/eingang')).rejects.toThrow(/another host/);
    remote.close();
    expect(heard.some((line) => line.startsWith('PASV'))).toBe(true);
    expect(connections).toBe(0);
  });

  it('I3 FTP-04 keeps the old file if the server refuses to rename the new one over it', async () => {
    const remote = await openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate);
    heard.length = 0;
    const failure: unknown = await remote
      .replace('/eingang/.datei.csv.j1.tmp', '/eingang/datei.csv')
      .catch((error: unknown) => error);
    remote.close();
    expect(heard.some((line) => line.startsWith('RNTO'))).toBe(true);
    expect(heard.filter((line) => line.startsWith('DELE'))).toEqual([]);
    expect(failure).toMatchObject({ code: 'refused', message: expect.stringContaining('umzubenennen') as string });
  });

  it.each([
    [
      'where both files lie if neither takes the name',
      { renames: ['550 .', '250 .', '550 .', '550 .'], removal: '250 .' },
      /gerade keine Datei.+Die neue liegt unter „\/eingang\/\.datei\.csv\.j1\.tmp“, die bisherige unter „\/eingang\/\.datei\.csv\.j1-alt\.tmp“/,
    ],
    [
      'where the old file lies if it may not be deleted',
      { renames: ['550 .', '250 .', '250 .'], removal: '550 .' },
      /Die neue Datei liegt an ihrer Stelle.+Sie liegt unter „\/eingang\/\.datei\.csv\.j1-alt\.tmp“/,
    ],
  ])('FTP-04 says %s', async (_, { renames, removal }, message) => {
    const before = answers;
    const next = [...renames];
    answers = {
      ...before,
      DELE: removal,
      get RNTO() {
        return next.shift() ?? '';
      },
    };
    const remote = await openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate);
    try {
      await expect(remote.replace('/eingang/.datei.csv.j1.tmp', '/eingang/datei.csv')).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringMatching(message) as string,
      });
      expect(next).toEqual([]);
    } finally {
      answers = before;
      remote.close();
    }
  });

  it.each([
    ['550 No permission.', /Schreibberechtigung.+Dort liegt weiter die bisherige Datei\.$/],
    ['552 Quota exceeded.', /kein Platz.+Dort liegt weiter die bisherige Datei\.$/],
    ['426 Aborted.', /brach ab\. Dort liegt weiter die bisherige Datei\.$/],
    ['425 No connection.', /keine Verbindung für die Daten.+Dort liegt weiter die bisherige Datei\.$/],
  ])(
    'FTP-04 gives its reason if it cuts the data connection before it answers a file with %s',
    async (words, message) => {
      const file = join(folder, 'file');
      writeFileSync(file, 'x'.repeat(3_000_000));
      const receiving = createServer(secure, (socket) => {
        socket.on('error', () => undefined);
        if (heard.at(-1)?.startsWith('LIST') === true) {
          socket.end('-rw-r--r-- 1 kanal kanal 7 Nov 27 09:00 datei.csv\r\n');
          return;
        }
        socket.once('data', () => {
          socket.destroy();
          setTimeout(() => line.write(`${words}\r\n`), 300);
        });
      });
      const at = await listening(receiving, '127.0.0.1');
      const before = answers;
      const passive = `227 (127,0,0,1,${at >> 8},${at & 255})`;
      answers = { ...before, PASV: passive, LIST: '150 .\r\n226 .', STOR: '150 .' };
      const remote = await openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate);
      try {
        const order = { file, bytes: 3_000_000, folder: '/eingang', name: 'datei.csv', mark: 'j1' };
        await expect(deliver(remote, order)).rejects.toMatchObject({
          code: words.startsWith('426') ? 'cut' : 'refused',
          message: expect.stringMatching(message) as string,
        });
      } finally {
        answers = before;
        remote.close();
        receiving.close();
      }
    },
  );

  it.each([
    ['421 Too many users.', 'refused', /nimmt gerade keine weitere Verbindung an/],
    ['530 Sorry, the maximum number of clients is connected.', 'refused', /nimmt gerade keine weitere Verbindung an/],
    ['530 Login incorrect.', 'sign_in', /lehnt die Anmeldung ab/],
    ['530 Too many failed login attempts.', 'sign_in', /lehnt die Anmeldung ab/],
  ])('FTP-04 is retried only if it is busy, not for a wrong password: %s', async (PASS, code, message) => {
    const before = answers;
    answers = { ...before, PASS };
    try {
      await expect(
        openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate),
      ).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
    } finally {
      answers = before;
    }
  });

  it('FTP-04 is retried if it breaks off a list; an earlier refusal, of EPSV, is not its reason', async () => {
    const before = answers;
    let raw: Socket | undefined;
    const receiving = createServer(secure, (socket) => {
      socket.on('error', () => undefined);
      socket.write('-rw-r--r-- 1 ', () => raw?.resetAndDestroy());
    });
    receiving.on('connection', (socket) => (raw = socket));
    const at = await listening(receiving, '127.0.0.1');
    answers = { ...before, PASV: `227 (127,0,0,1,${at >> 8},${at & 255})`, LIST: '150 .' };
    const remote = await openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate);
    try {
      await expect(remote.names('/eingang')).rejects.toMatchObject({ code: 'cut' });
    } finally {
      answers = before;
      remote.close();
      receiving.close();
    }
  });

  it.each(['425 .', '522 .'])('FTP-04 is not said to lack the folder if it answers LIST with %s', async (LIST) => {
    const before = answers;
    const receiving = createServer(secure, (socket) => socket.on('error', () => undefined));
    const at = await listening(receiving, '127.0.0.1');
    answers = { ...before, PASV: `227 (127,0,0,1,${at >> 8},${at & 255})`, LIST };
    const remote = await openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate);
    try {
      await expect(remote.names('/eingang')).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringContaining('keine Verbindung für die Daten') as string,
      });
    } finally {
      answers = before;
      remote.close();
      receiving.close();
    }
  });

  it.each(['500 .', '502 .'])(
    "FTP-04 reads a file's size from the directory listing if the server answers SIZE with %s",
    async (unknown) => {
      const line = (name: string, size: number) => `-rw-r--r-- 1 kanal kanal ${size} Nov 27 09:00 ${name}\r\n`;
      const listing = createServer(secure, (socket) => {
        socket.on('error', () => socket.destroy());
        socket.end(line('datei.csv', 7) + line('.datei.csv.j1.tmp', 8123));
      });
      const at = await listening(listing, '127.0.0.1');
      const before = answers;
      answers = { ...before, SIZE: unknown, PASV: `227 (127,0,0,1,${at >> 8},${at & 255})`, LIST: '150 .\r\n226 .' };
      const remote = await openFtps('127.0.0.1', account(certificate.fingerprint), 'ftps_implicit', certificate);
      heard.length = 0;
      try {
        expect(await remote.size('/eingang/.datei.csv.j1.tmp')).toBe(8123);
        expect(await remote.size('/eingang/andere.csv')).toBeUndefined();
        expect(await remote.size('/datei.csv')).toBe(7);
        expect(await remote.size('datei.csv')).toBe(7);
        expect(heard.filter((one) => one.startsWith('LIST'))).toEqual([
          'LIST -a /eingang',
          'LIST -a /eingang',
          'LIST -a /',
          'LIST -a',
        ]);
      } finally {
        answers = before;
        remote.close();
        listing.close();
      }
    },
  );

  it('T19 with an expired certificate is not said to need its fingerprint confirmed: that would change nothing', async () => {
    const [key, request, cert] = [join(folder, 'key.pem'), join(folder, 'request.pem'), join(folder, 'expired.pem')];
    const quiet = { stdio: 'ignore' } as const;
    execFileSync('openssl', ['req', '-new', '-key', key, '-subj', '/CN=localhost', '-out', request], quiet);
    execFileSync('openssl', ['x509', '-req', '-in', request, '-signkey', key, '-days', '-1', '-out', cert], quiet);
    const pem = readFileSync(cert, 'utf8');
    const expired = { pem, fingerprint: new X509Certificate(pem).fingerprint256 };
    const server = createServer({ key: secure.key, cert: pem }, (socket) => {
      socket.on('error', () => socket.destroy()).on('data', (chunk) => heard.push(String(chunk)));
      socket.write('220 .\r\n');
    });
    const at = await listening(server, '127.0.0.1');
    heard.length = 0;
    try {
      await expect(
        openFtps('127.0.0.1', { ...account(expired.fingerprint), port: at }, 'ftps_implicit', expired),
      ).rejects.toMatchObject({
        code: 'certificate',
        fingerprint: '',
        message: expect.stringMatching(/abgelaufen.+Bitten Sie den Kanal, es zu erneuern/) as string,
      });
      expect(heard.filter((text) => /^(USER|PASS) /m.test(text))).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('T19 gets no password if its certificate is not the confirmed one, or was never confirmed', async () => {
    heard.length = 0;
    for (const [fingerprint, code] of [
      ['AA:BB', 'changed_key'],
      ['', 'certificate'],
    ] as const)
      await expect(openFtps('127.0.0.1', account(fingerprint), 'ftps_implicit', certificate)).rejects.toMatchObject({
        code,
      });
    // Another server may have taken its place between the certificate check and the sign-in.
    const { pem } = certificate;
    const other = { pem, fingerprint: 'AA:BB' };
    await expect(openFtps('127.0.0.1', account('AA:BB'), 'ftps_implicit', other)).rejects.toMatchObject({
      code: 'changed_key',
    });
    expect(heard.filter((line) => /^(USER|PASS) /.test(line))).toEqual([]);
  });
});
