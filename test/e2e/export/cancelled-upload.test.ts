import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { masterWith, runExport, settled, testKontor } from '../../stages/kontor.ts';
import { namesIn, sftpServer } from '../../servers/sftp-server.ts';

it('FTP-04 an upload that is cancelled before its server greets sends nothing', async () => {
  const [kontor, server] = await Promise.all([testKontor(), sftpServer()]);
  onTestFinished(async () => {
    await Promise.all([kontor.close(), server.close()]);
  });
  const held: Socket[] = [];
  const slow = createServer((socket) => held.push(socket.pause()));
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void slow.close());
  const masterid = await masterWith(kontor, 'sku\nA-1', { key: 'sku' });
  const { id } = await kontor.ask(api.createExport, {
    params: { masterid },
    body: { name: 'Kanal', format: { kind: 'csv' } },
  });
  await runExport(kontor, id);
  const host = '127.0.0.1';
  const body = { host, port: server.port, username: 'kanal', password: 'geheim' };
  const { fingerprint } = await kontor.ask(api.checkUpload, { body });
  const { port } = slow.address() as AddressInfo;
  const target = { host, port, user: 'kanal', pass: 'geheim', dir: '/eingang', filename: 'datei.csv', fingerprint };
  await kontor.ask(api.saveUpload, { params: { id }, body: { active: true, ...target } });
  const { runid } = await kontor.ask(api.uploadNow, { params: { id } });
  await expect.poll(() => held.length).toBe(1);
  await kontor.ask(api.cancelRun, { params: { runid } });
  await wait(500);
  for (const socket of held) socket.pipe(connect(server.port, host)).pipe(socket);
  expect((await settled(kontor, runid)).state).toBe('cancelled');
  expect(await namesIn(join(server.folder, 'eingang'))).toEqual([]);
});
