import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { ftpsProgram, ftpsServer, type FtpsServer } from '../../servers/ftps-server.ts';
import { namesIn, sftpServer, textOf, type SftpServer } from '../../servers/sftp-server.ts';
import { csv, uploadsOf } from '../../stages/export/uploads.ts';

async function stranger(speak: (socket: Socket) => void): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    speak(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

describe('uploads to a server that hangs', () => {
  let kontor: TestKontor;
  let masterid: string;
  let server: SftpServer;
  /** Moves the clock a minute per test: ten checks are allowed per minute. */
  let minutes = 0;
  beforeEach(() => {
    minutes += 1;
  });
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(Date.now() + minutes * 60_000) } });
    masterid = await masterWith(kontor, csv, { key: 'sku' });
    server = await sftpServer();
  });
  afterAll(async () => {
    await kontor.close();
    await server.close();
  });

  const { newExport, settings, save, check, uploaded } = uploadsOf(() => ({ kontor, masterid, server }));

  const timed = async (answer: Promise<unknown>) => {
    const started = performance.now();
    return { answer: JSON.stringify(await answer), ms: performance.now() - started };
  };
  const expectAlike = (all: readonly { answer: string; ms: number }[]) => {
    expect(new Set(all.map(({ answer }) => answer)).size).toBe(1);
    // Without the wait they would be seconds apart.
    const times = all.map(({ ms }) => ms);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(1000);
  };

  describe.concurrent('upload with timeouts', () => {
    const withFtps = existsSync(ftpsProgram);
    let explicit: FtpsServer | undefined;
    let implicit: FtpsServer | undefined;
    beforeAll(async () => {
      if (!withFtps) return;
      explicit = await ftpsServer();
      implicit = await ftpsServer({ implicit: true });
    }, 60_000);
    afterAll(async () => {
      await explicit?.close();
      await implicit?.close();
    });

    it('FTP-04 a connection that goes silent during the renaming is noticed and retried', async () => {
      const dead = await sftpServer();
      const id = await newExport();
      await save(id, settings({ port: dead.port, fingerprint: (await check(dead.port)).fingerprint }));
      dead.atRename = { how: 'silence', after: 0 };
      await runExport(kontor, id);
      const message = async () => (await kontor.ask(api.upload, { params: { id } })).runs[0]?.message;
      await expect.poll(message, { timeout: 40_000 }).toMatch(/brach ab.*Nächster Versuch: .*\.$/);
      await kontor.ask(api.cancelRun, {
        params: { runid: (await kontor.ask(api.upload, { params: { id } })).runs[0]?.runid ?? '' },
      });
      await dead.close();
    }, 60_000);

    it('FTP-03 T3 a closed port, a silent, closing or foreign server get the same answer after the same time', async () => {
      const strangers = await Promise.all([
        stranger(() => undefined),
        stranger((socket) => socket.destroy()),
        stranger((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
        stranger((socket) => socket.write('SSH-2.0-still\r\n')),
      ]);
      const asking = await testKontor();
      const all = await Promise.all(
        [1, ...strangers.map(({ port }) => port)].map((port) =>
          timed(asking.ask(api.checkUpload, { body: { host: '127.0.0.1', port, username: 'kanal', password: 'x' } })),
        ),
      );
      for (const { close } of strangers) close();
      await asking.close();
      expectAlike(all);
      expect(JSON.parse(all[0]?.answer ?? '')).toMatchObject({
        success: false,
        error: expect.stringContaining('antwortet kein SFTP- oder FTPS-Server') as string,
        field: 'host',
      });
    }, 30_000);

    it('FTP-03 T3 internal addresses and ports are refused; unknown and internal names get the same answer', async () => {
      const strict = await testKontor({ KONTOR_EGRESS_LOOPBACK: '0' });
      try {
        const ask = (host: string, port = 22) =>
          strict.ask(api.checkUpload, { body: { host, port, username: 'kanal', password: 'geheim' } });
        const [unknown, inner, ...refused] = await Promise.all([
          timed(ask('gibt-es-nicht.invalid')),
          timed(ask('localhost')),
          ask('10.0.0.1'),
          ask('kanal.example', 25),
        ]);
        expectAlike([unknown, inner]);
        expect(JSON.parse(inner.answer)).toMatchObject({
          error: expect.stringContaining('Zu diesem Namen gibt es im Internet keinen Server') as string,
          field: 'host',
        });
        expect(refused).toMatchObject([
          { error: expect.stringContaining('gehört zu einem internen Netz') as string, field: 'host' },
          { error: expect.stringContaining('Erlaubt sind 21, 22, 990,') as string, field: 'port' },
        ]);
      } finally {
        await strict.close();
      }
    }, 30_000);

    it.skipIf(!withFtps).each(['explicit', 'implicit'] as const)(
      'FTP-03 FTP-04 %s: the certificate is confirmed once, the file arrives complete, a changed certificate stops the upload',
      async (kind) => {
        const target = kind === 'explicit' ? explicit : implicit;
        if (target === undefined) throw new Error('no server');
        const first = await check(target.port);
        expect(first).toMatchObject({ success: false, fingerprint: target.fingerprint });
        expect(first.error).toContain('von keiner anerkannten Stelle');
        const second = await check(target.port, { fingerprint: target.fingerprint });
        expect(second).toMatchObject({
          success: true,
          directories: ['eingang'],
          protocol: kind === 'explicit' ? 'ftps' : 'ftps_implicit',
        });
        expect(await check(target.port, { fingerprint: target.fingerprint, password: 'falsch' })).toMatchObject({
          error: expect.stringContaining('lehnt die Anmeldung ab') as string,
        });
        const id = await newExport();
        await save(id, settings({ port: target.port, fingerprint: target.fingerprint }));
        const { text } = await runExport(kontor, id);
        expect(await uploaded(id)).toMatchObject({ state: 'done' });
        expect(await uploaded(id)).toMatchObject({ state: 'done' });
        expect(await textOf(join(target.folder, 'eingang', 'datei.csv'))).toBe(text);
        expect(await namesIn(join(target.folder, 'eingang'))).toEqual(['datei.csv']);
        await save(id, settings({ port: target.port, fingerprint: 'AA:BB' }));
        expect(await uploaded(id)).toMatchObject({
          state: 'failed',
          message: expect.stringContaining('mit einem anderen Schlüssel') as string,
        });
      },
    );
  });
});
