import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { FILE_PART } from '#platform/storage/s3/parts.ts';
import { S3Client } from '#platform/storage/s3/client.ts';
import { useFile } from '#platform/storage/store.ts';
import { hasObjectStore, type ObjectStore, objectStore, ownGateway } from '../../servers/object-store.ts';
import { accessTo, bucketStage, hasty, makeBucket, hashOf, made, sent } from '../../stages/bucket-stage.ts';
import { openTestDatabase } from '../../stages/kontor.ts';

let root: string;
let database: Database;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kontor-store-'));
  database = await openTestDatabase(root, undefined);
});
afterAll(async () => {
  await database.close();
  await rm(root, { recursive: true, force: true });
});

describe.skipIf(!hasObjectStore)('a bucket that is away, and unfinished uploads to it (needs root and radosgw)', () => {
  let server: ObjectStore;
  let bucket: string;
  const closers: (() => Promise<void>)[] = [];
  /** Opens the store as a process with a folder of its own would. */
  const processOn = async (name: string) => {
    const folder = join(root, name, 'items');
    await mkdir(folder, { recursive: true });
    const stage = await bucketStage(accessTo(server, bucket), { database, folder });
    closers.push(stage.close);
    return { ...stage, folder, at: (path: string) => join(folder, path) };
  };
  const keep = async ({ store, at }: Awaited<ReturnType<typeof processOn>>, path: string, content: Uint8Array) =>
    store.keep(await made(at(path), content), at(path));
  beforeAll(async () => {
    server = await objectStore();
    bucket = await makeBucket(server);
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  it('a short outage of the store is waited out, a longer one is reported', async () => {
    const gateway = await ownGateway();
    onTestFinished(() => gateway.kill());
    const patient = { ...hasty, attempts: 12, pauseMs: 100 };
    const folder = join(root, 'away', 'items');
    const one = await bucketStage(accessTo(gateway, bucket), { database, folder, patience: patient });
    const hastily = await bucketStage(accessTo(gateway, bucket), { database, folder });
    closers.push(one.close, hastily.close);
    const content = randomBytes(3 * FILE_PART);
    const path = join(folder, 'C3/M5/1');
    const keeping = one.store.keep(await made(path, content), path);
    await wait(250);
    await gateway.kill();
    await wait(500);
    await gateway.revive();
    await keeping;
    await one.cache.forget(new Date(Date.now() + 1000));
    expect(hashOf(await useFile(one.store, path, (local) => readFile(local)))).toBe(hashOf(content));
    gateway.stop();
    const other = await made(join(folder, 'C3/M5/2'), 'x');
    await expect(hastily.store.keep(other, join(folder, 'C3/M5/2'))).rejects.toMatchObject({ code: 'store_away' });
    gateway.resume();
    await hastily.store.keep(other, join(folder, 'C3/M5/2'));
    await gateway.kill();
    await hastily.cache.forget(new Date(Date.now() + 1000));
    const lost = hastily.store.hold([join(folder, 'C3/M5/2')]);
    await expect(lost).rejects.toMatchObject({ code: 'store_away', status: 503, retryAfter: 60 });
  });

  it('F16 requests use the clock of the store, so a machine whose clock is hours off can connect', async () => {
    for (const hours of [-5, 5]) {
      const client = new S3Client(accessTo(server, bucket), hasty, () => Date.now() + hours * 3_600_000);
      expect(await client.text({ method: 'GET', query: { 'list-type': '2' } })).toContain('ListBucketResult');
      await client.close();
    }
  });

  it('an upload whose sender was killed is resumed, and parts that match are not sent again', async () => {
    const name = 'kontor/C7/M1/snapshots/1.parquet.inhalt';
    const piece = 8 * 1024 * 1024;
    const content = randomBytes(3 * piece + 12_345);
    const client = new S3Client({ ...accessTo(server, bucket) });
    let sentBytes = 0;
    const meter = { ...client.meter, sent: (count: number) => void (sentBytes += count) };
    const objects = new Bucket(accessTo(server, bucket), { ...hasty, silentMs: 20_000 }, meter);
    onTestFinished(async () => {
      await client.close();
      await objects.close();
    });
    const xml = await client.text({ method: 'POST', key: name, query: { uploads: '' } });
    const uploadId = /<UploadId>([^<]+)</.exec(xml)?.[1] ?? '';
    // The first piece is complete, the second has the wrong content, the third is half there.
    const first = content.subarray(0, piece);
    for (const [number, bytes] of [
      [1, first],
      [2, randomBytes(piece)],
      [3, content.subarray(2 * piece, 2.5 * piece)],
    ] as const)
      await client.text({
        method: 'PUT',
        key: name,
        query: { partNumber: String(number), uploadId },
        content: { bytes: bytes.length, sha256: hashOf(bytes), open: () => bytes },
      });
    const pieces = sent(...Array.from({ length: 4 }, (_, n) => content.subarray(n * piece, (n + 1) * piece)));
    await objects.putStream('C7/M1/snapshots/1.parquet.inhalt', pieces, content.length, { resume: true });
    expect(sentBytes).toBeGreaterThanOrEqual(2 * piece + 12_345);
    expect(sentBytes).toBeLessThan(2 * piece + 100_000);
    const back: Buffer[] = [];
    for await (const chunk of objects.read('C7/M1/snapshots/1.parquet.inhalt')) back.push(chunk);
    expect(hashOf(Buffer.concat(back))).toBe(hashOf(content));
    expect(await objects.abortUploads('C7/', new Date(Date.now() + 60_000))).toBe(0);
  });

  it('an upload whose sender was killed is aborted at night', async () => {
    const { bucket: objects } = await processOn('aborted');
    const client = new S3Client({ ...accessTo(server, bucket) });
    onTestFinished(() => client.close());
    await client.text({ method: 'POST', key: 'kontor/C5/M1/incoming/r1', query: { uploads: '' } });
    expect(await objects.abortUploads('C5/', new Date(Date.now() - 60_000))).toBe(0);
    expect(await objects.abortUploads('C5/', new Date(Date.now() + 60_000))).toBe(1);
    expect(await objects.abortUploads('C5/', new Date(Date.now() + 60_000))).toBe(0);
  });

  it('removing a folder fails when the store keeps an object, and succeeds the next time', async () => {
    const one = await processOn('kept');
    for (const name of ['1', '2']) await keep(one, `C8/M1/snapshots/${name}.parquet`, Buffer.from(name));
    const left = async () => {
      const keys: (string | undefined)[] = [];
      for await (const { key } of one.bucket.list('C8/')) keys.push(key.split('.')[0]);
      return keys;
    };
    vi.spyOn(one.bucket, 'delete').mockRejectedValueOnce(new Error('kept'));
    await expect(one.store.removeBelow(one.at('C8'))).rejects.toThrow('kept');
    expect(await left()).toEqual(['C8/M1/snapshots/1']);
    await one.store.removeBelow(one.at('C8'));
    expect(await left()).toEqual([]);
  });

  it('removing a folder also aborts its unfinished uploads', async () => {
    const one = await processOn('unended');
    const client = new S3Client({ ...accessTo(server, bucket) });
    onTestFinished(() => client.close());
    for (const name of ['C10', 'C11'])
      await client.text({ method: 'POST', key: `kontor/${name}/M1/incoming/r1`, query: { uploads: '' } });
    await one.store.removeBelow(one.at('C10'));
    const later = new Date(Date.now() + 60_000);
    expect([await one.bucket.abortUploads('C10/', later), await one.bucket.abortUploads('C11/', later)]).toEqual([
      0, 1,
    ]);
  });
});
