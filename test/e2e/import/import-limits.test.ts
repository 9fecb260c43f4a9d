import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { importFile, settled, testKontor, token, type TestKontor } from '../../stages/kontor.ts';

const megabyte = 1024 ** 2;
const rows = (bytes: number) =>
  `sku;titel\n${Array.from({ length: bytes / 64 }, () => `${randomBytes(31).toString('hex')};\n`).join('')}`;
const tooLarge = expect.stringMatching(/größer als 1,5 MB.*höhere Grenze/) as string;

/** KONTOR_IMPORT_GB, small instead of large: one limit, however a file arrives. */
describe('the size limit of import files', () => {
  let kontor: TestKontor;
  let masterid: string;
  let shop: Server;
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_IMPORT_GB: String(1.5 / 1024) }, { pages: false });
    masterid = (await kontor.ask(api.createMaster, { body: { name: 'Katalog' } })).masterid;
    shop = createServer(({ url }, response) => {
      const body = rows(url === '/klein' ? megabyte : 2 * megabyte);
      if (url === '/lang') response.writeHead(200, { 'content-length': body.length }).end(body);
      else if (url === '/gepackt') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
      else response.writeHead(200).end(body);
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
  });
  afterAll(async () => {
    shop.close();
    await kontor.close();
  });

  it('is returned by the API', async () => {
    expect(await kontor.ask(api.importLimits)).toEqual({ uploadBytes: 1.5 * megabyte, fetchBytes: 1.5 * megabyte });
  });

  it('applies to an uploaded file, which is refused before reading or while it arrives', async () => {
    expect(await importFile(kontor, masterid, { name: 'a.csv', bytes: rows(megabyte) })).toMatchObject({
      state: 'done',
    });
    const send = (headers: { 'content-length'?: string }, body: string) =>
      new Promise<[number | undefined, unknown]>((resolve, reject) => {
        const sent = request(
          new URL(pathOf(api.import, { masterid }), kontor.url),
          {
            method: 'POST',
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'multipart/form-data; boundary=x',
              ...headers,
            },
          },
          (answer) => {
            let text = '';
            answer.on('data', (piece) => (text += String(piece)));
            answer.on('end', () => {
              sent.destroy();
              resolve([answer.statusCode, JSON.parse(text)]);
            });
          },
        );
        sent.on('error', reject).write(body);
        if (!('content-length' in headers)) sent.end('\r\n--x--\r\n');
      });
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
    const refusal = [413, { error: expect.objectContaining({ code: 'too_large', message: tooLarge }) as object }];
    expect(await send({ 'content-length': String(4 * megabyte) }, head)).toEqual(refusal);
    expect(await send({}, `${head}${rows(2 * megabyte)}`)).toEqual(refusal);
  });

  it('applies to the unpacked size of a compressed file', async () => {
    const bytes = gzipSync(rows(2 * megabyte));
    expect(bytes.length).toBeLessThan(1.5 * megabyte);
    expect(await importFile(kontor, masterid, { name: 'a.csv.gz', bytes })).toMatchObject({
      state: 'failed',
      message: tooLarge,
    });
  });

  it.each([
    ['/klein', 'done', null],
    ['/lang', 'failed', tooLarge],
    ['/ungewiss', 'failed', tooLarge],
    ['/gepackt', 'failed', tooLarge],
  ])('applies to a file fetched from %s', async (path, state, message) => {
    const { masterid: own } = await kontor.ask(api.createMaster, { body: { name: path } });
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}${path}`;
    const call = { ...api.import, body: api.import.upload.json };
    const { runid } = await kontor.ask(call, { params: { masterid: own }, body: { url } });
    expect(await settled(kontor, runid)).toMatchObject({ state, message });
  });
});
