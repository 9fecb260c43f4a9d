import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import { clientOf, type Client } from '../stages/client.ts';
import { checkInvariants } from '../stages/invariants.ts';
import { testKontor, type TestKontor } from '../stages/kontor.ts';
import { sftpServer, type SftpServer } from '../servers/sftp-server.ts';

const items = 2000;
const whole = [...catalogueCsv(items, 1)].join('');
const firstOf = (count: number) => [...catalogueCsv(count, 1)].join('');

/** Errors of a merchant's shop and a channel's server (F4, T7, F17): the old snapshot stays, and all recovers by itself. */
describe('feeds and servers that fail', () => {
  let kontor: TestKontor;
  let client: Client;
  let shop: Server;
  let channel: SftpServer;
  let [masterid, exportId] = ['', ''];
  let serve: (response: ServerResponse) => void = (response) => response.end(whole);
  beforeAll(async () => {
    kontor = await testKontor();
    client = clientOf(() => kontor.url);
    shop = createServer((_request, response) => serve(response));
    await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done));
    channel = await sftpServer();
    ({ masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' }));
    expect(await imported()).toMatchObject({ state: 'done', accepted: items });
    ({ id: exportId } = await client.ask(api.createExport, { masterid }, { name: 'Export', format: { kind: 'csv' } }));
    const place = { host: '127.0.0.1', port: channel.port };
    const { fingerprint } = await client.ask(api.checkUpload, {}, { ...place, username: 'kanal', password: 'geheim' });
    const account = { user: 'kanal', pass: 'geheim', dir: '/eingang', filename: 'datei.csv', fingerprint };
    await client.ask(api.saveUpload, { id: exportId }, { active: true, ...place, ...account });
    expect(await exported()).toMatchObject({ state: 'done' });
    await checked();
  });
  afterAll(async () => {
    shop.close();
    await kontor.close();
    await channel.close();
  });

  const imported = async (): Promise<Run> => {
    const { port } = shop.address() as AddressInfo;
    const { runid } = await client.ask(api.import, { masterid }, { url: `http://127.0.0.1:${port}/artikel.csv` });
    return client.ended(runid);
  };
  const exported = async () => client.ended((await client.ask(api.runExport, { id: exportId })).runid);
  const checked = () =>
    checkInvariants({
      client,
      items: join(kontor.dataFolder, 'items'),
      masterid,
      exportId,
      channel: { folder: join(channel.folder, 'eingang'), filename: 'datei.csv' },
    });
  const live = async () => (await client.ask(api.master, { masterid })).items;

  it('a gzip download cut anywhere is refused as incomplete, and the old catalogue stays', async () => {
    const packed = gzipSync(whole);
    for (const share of [0.001, 0.3, 0.7, 0.999]) {
      const part = packed.subarray(0, Math.floor(packed.length * share));
      for (const announced of [packed.length, part.length, undefined]) {
        serve = (response) => {
          const length = announced === undefined ? {} : { 'content-length': String(announced) };
          response.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'gzip', ...length });
          response.write(part, () => (announced === packed.length ? response.socket?.destroy() : response.end()));
        };
        expect(await imported()).toMatchObject({
          state: 'failed',
          message: expect.stringMatching(/brach vorzeitig ab|unvollständig|beschädigt/) as string,
        });
      }
    }
    expect(await live()).toBe(items);
    await checked();
    serve = (response) => response.end(whole);
    expect(await imported()).toMatchObject({ state: 'done', accepted: items });
  }, 120_000);

  /** Answers as an old or broken server does: sends these bytes, then closes the connection. */
  const raw = (head: string, body: string | Buffer) => {
    serve = ({ socket }) => {
      socket?.write(`HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n${head}\r\n`);
      socket?.end(body);
    };
  };
  const firstRows = whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 1);
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  it.each([
    ['truncated within a row', firstRows + whole.slice(firstRows.length, firstRows.length + 20)],
    ['truncated within the first row', whole.slice(0, whole.indexOf('\n') + 30)],
    ['without a line break at its end', whole.trimEnd()],
  ])('T7 F17 a feed of unknown length, %s, is held with its reason until it is released', async (_how, body) => {
    raw('connection: close\r\n', body);
    const run = await imported();
    expect(run).toMatchObject({
      state: 'blocked',
      message: expect.stringContaining('Vermutlich brach die Übertragung ab') as string,
    });
    expect(run.message).toContain('bis Sie den neuen freigeben');
    expect(await live()).toBe(items);
    await client.ask(
      api.releaseRun,
      { runid: run.runid },
      { reason: 'Der Server schließt seine letzte Zeile nie ab.' },
    );
    expect(await live()).toBe(run.accepted);
    serve = (response) => response.end(whole);
    expect(await imported()).toMatchObject({ state: 'done', accepted: items, warnings: [] });
  });

  it('T7 a feed of unknown length that ends with a complete line is accepted with a warning', async () => {
    raw('connection: close\r\n', firstRows);
    const run = await imported();
    expect(run).toMatchObject({ state: 'done', accepted: items - 1 });
    expect(run.warnings.join(' ')).toContain('wie lang die Datei ist');
    serve = (response) => response.end(whole.trimEnd());
    expect(await imported()).toMatchObject({ state: 'done', accepted: items, warnings: [] });
  });

  it.each([
    ['with fewer bytes than announced', `content-length: ${Buffer.byteLength(whole)}\r\n`, firstRows],
    ['in chunks without the final chunk', 'transfer-encoding: chunked\r\n', chunk(firstRows)],
    ['in chunks, one of them truncated', 'transfer-encoding: chunked\r\n', chunk(firstRows).slice(0, -40)],
    [
      'as truncated gzip of unknown length',
      'content-encoding: gzip\r\nconnection: close\r\n',
      gzipSync(whole).subarray(0, -9),
    ],
    ['truncated after a line break within a quoted text', 'connection: close\r\n', `${firstRows}"Ein Text über\n`],
    ['as truncated JSON', 'connection: close\r\n', '[{"sku":"1","titel":"a"},{"sku":"2","titel":"b"}'],
    ['as truncated XML', 'connection: close\r\n', '<items><item><sku>1</sku></item><item><sku>2</sku></item>'],
  ])('T7 F17 a feed that arrives %s is never accepted', async (_how, head, body) => {
    raw(head, body);
    expect(await imported()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/brach vorzeitig ab|endet|unvollständig|fehlerhaft/) as string,
    });
    expect(await live()).toBe(items);
  });

  it('DIF-03 a feed that shrinks by 1 % is accepted, by 50 and 100 % it is held while the channel keeps its file', async () => {
    const settings = { action_on_difference: 'block_send' as const, neg_difference: 20, pos_difference: 0 };
    await client.ask(api.saveImportDifference, { masterid }, settings);
    for (const [left, state] of [
      [items * 0.99, 'done'],
      [items * 0.5, 'blocked'],
      [0, 'blocked'],
    ] as const) {
      serve = (response) => response.end(firstOf(left));
      const run = await imported();
      if (left === 0 && run.state === 'failed') expect(run.message).toMatch(/keine|leer/i);
      else expect(run).toMatchObject({ state });
      if (run.state === 'blocked') await client.ask(api.cancelRun, { runid: run.runid });
      expect(await live()).toBe(items * 0.99);
      expect(await exported()).toMatchObject({ state: 'done', accepted: items * 0.99 });
      await checked();
    }
  });

  it('FTP-04 a server that dies in the middle of an upload keeps the old file, and gets the new one when it is back', async () => {
    serve = (response) => response.end(whole);
    expect(await imported()).toMatchObject({ state: 'done' });
    channel.dieAfter = 30_000;
    expect(await exported()).toMatchObject({ state: 'done' });
    const waiting = async () => (await client.ask(api.upload, { id: exportId })).runs[0];
    await expect.poll(async () => (await waiting())?.message, { timeout: 30_000 }).toMatch(/Nächster Versuch/);
    const { runs } = await client.ask(api.upload, { id: exportId });
    await client.ask(api.cancelRun, { runid: runs[0]?.runid ?? '' });
    await checked();
    await channel.revive();
    const { runid } = await client.ask(api.uploadNow, { id: exportId });
    expect(await client.ended(runid)).toMatchObject({ state: 'done' });
    await checked();
  });
});
