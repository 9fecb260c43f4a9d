import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Bucket } from './bucket.ts';

/** Returns a bucket whose store answers in this way. */
async function bucketThat(answer: RequestListener): Promise<Bucket> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const keys = { region: 'eu', accessKey: 'key', secretKey: 'secret', bucket: 'bucket', prefix: 'kontor/' };
  const bucket = new Bucket(
    { endpoint: `http://127.0.0.1:${port}`, ...keys },
    { connectMs: 1000, silentMs: 1000, attempts: 2, pauseMs: 1 },
  );
  onTestFinished(async () => {
    await bucket.close();
    server.closeAllConnections();
    server.close();
  });
  return bucket;
}

it('a store without support for conditional puts is written to without a condition, which is tried only once', async () => {
  const asked: (string | undefined)[] = [];
  const bucket = await bucketThat((request, response) => {
    const condition = request.headers['if-none-match'];
    asked.push(condition);
    request.resume().on('end', () => response.writeHead(condition === undefined ? 200 : 501).end());
  });
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bucket-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a'), 'Inhalt');
  for (const key of ['a', 'b']) expect(await bucket.putFile(key, join(folder, 'a'))).toMatchObject({ bytes: 6 });
  expect(asked).toEqual(['*', undefined, undefined]);
});

it('abandoned multipart uploads are aborted, also on further pages of the list', async () => {
  const upload = (n: number) =>
    `<Upload><Key>kontor/firma/${n}</Key><UploadId>u${n}</UploadId><Initiated>2026-01-0${n}T00:00:00Z</Initiated></Upload>`;
  const more =
    '<IsTruncated>true</IsTruncated><NextKeyMarker>kontor/firma/1</NextKeyMarker><NextUploadIdMarker>u1</NextUploadIdMarker>';
  const ended: string[] = [];
  const bucket = await bucketThat((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    if (request.method === 'DELETE') {
      ended.push(`${pathname} ${searchParams.get('uploadId')}`);
      response.writeHead(204).end();
      return;
    }
    const second = searchParams.get('key-marker') === 'kontor/firma/1' && searchParams.get('upload-id-marker') === 'u1';
    const page = second ? `<IsTruncated>false</IsTruncated>${upload(2)}${upload(3)}` : `${more}${upload(1)}`;
    response.end(`<ListMultipartUploadsResult>${page}</ListMultipartUploadsResult>`);
  });
  expect(await bucket.abortUploads('firma/', new Date('2026-01-03T00:00:00Z'))).toBe(2);
  expect(ended).toEqual(['/bucket/kontor/firma/1 u1', '/bucket/kontor/firma/2 u2']);
});
