import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Egress } from '#platform/egress/egress.ts';
import { folderStore } from '#platform/storage/folder-store.ts';
import { runImport } from '#feed/import/run-import.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { testKontor, token } from '../stages/kontor.ts';
import { removeDisk, smallDisk } from '../stages/small-disk.ts';

const disk = await smallDisk(300);
if (disk === undefined) console.warn('disk-room.test.ts is skipped: no file system may be mounted here.');
const megabyte = 1024 ** 2;
const inTime = { code: 'disk_full', message: expect.stringContaining('bevor er erschöpft war') as string };

/** F10: a caller who sends too much is refused while there is still room for all others. */
describe.skipIf(disk === undefined)('a disk with little room', () => {
  const folder = disk ?? '';
  const free = () => statfsSync(folder).bavail * statfsSync(folder).bsize;
  const place = (name: string) => join(folder, 'room', name);
  beforeAll(() => mkdir(join(folder, 'room'), { recursive: true }));
  afterAll(() => removeDisk(folder));

  it('a file whose announced size would not fit with its results is refused before its first byte', async () => {
    const taken = { bytes: 0 };
    async function* content() {
      taken.bytes += megabyte;
      yield Buffer.alloc(megabyte);
    }
    const path = place('announced');
    await expect(folderStore.receive(path, content(), 250 * megabyte)).rejects.toMatchObject({
      ...inTime,
      message: expect.stringMatching(/Gebraucht werden 375 MB, frei sind 28\d/) as string,
    });
    expect([taken.bytes, existsSync(path)]).toEqual([0, false]);
  });

  it('ends a transfer of unknown length while there is room left', async () => {
    async function* endless() {
      const piece = Buffer.alloc(megabyte);
      for (;;) yield piece;
    }
    const path = place('endless');
    await expect(folderStore.receive(path, endless())).rejects.toMatchObject(inTime);
    expect(free()).toBeGreaterThan(2 * megabyte);
    await folderStore.remove([path]);

    const shop = createServer((_, response) => {
      pipeline(Readable.from(endless()), response).catch(() => undefined);
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    onTestFinished(() => void shop.close());
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
    const egress = new Egress({ allowLoopback: true });
    await expect(egress.download(url, path, { maxBytes: 1e12 })).rejects.toMatchObject(inTime);
    expect(free()).toBeGreaterThan(2 * megabyte);
    await folderStore.remove([path]);
  });

  it('ends the import of a file that grows too large when unpacked', async () => {
    const file = place('packed');
    // A fifth of each kilobyte is random, so it is no decompression bomb.
    const line = () => `${randomBytes(100).toString('hex')};${'a'.repeat(824)}\n`;
    const part = gzipSync(Array.from({ length: 32 * 1024 }, line).join(''));
    async function* parts() {
      for (let index = 0; index < 10; index++) yield part;
    }
    await folderStore.receive(file, parts());
    const request = {
      file,
      originalName: 'artikel.csv.gz',
      options: {},
      knownFields: [],
      output: place('out.parquet'),
      rejectedOutput: place('rejected.jsonl'),
      workFolder: place('work'),
      limits: { archiveBytes: 1e12 },
    };
    const result = await runImport(request, { onProgress: () => undefined });
    expect(result).toMatchObject({ ok: false, ...inTime });
    expect(free()).toBeGreaterThan(200 * megabyte);
    await folderStore.remove([file]);
  }, 60_000);

  it('refuses an upload by its announced size before its content arrives', async () => {
    const kontor = await testKontor({}, { dataFolder: join(folder, 'data'), pages: false });
    onTestFinished(() => kontor.close());
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Katalog' } });
    const sent = request(new URL(pathOf(api.import, { masterid }), kontor.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 400 * megabyte,
      },
    });
    sent.on('error', () => undefined);
    sent.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsku;titel\n');
    const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    let text = '';
    for await (const piece of answer) text += String(piece);
    sent.destroy();
    expect([answer.statusCode, JSON.parse(text)]).toEqual([503, { error: expect.objectContaining(inTime) as object }]);
  }, 60_000);
});
