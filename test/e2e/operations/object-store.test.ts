import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { folderStore } from '#platform/storage/folder-store.ts';
import { FILE_PART } from '#platform/storage/s3/parts.ts';
import { S3Client } from '#platform/storage/s3/client.ts';
import { type Store, useFile } from '#platform/storage/store.ts';
import { hasObjectStore, type ObjectStore, objectStore, smallAccount } from '../../servers/object-store.ts';
import { accessTo, bucketStage, makeBucket, hashOf, made, sent } from '../../stages/bucket-stage.ts';
import { openTestDatabase } from '../../stages/kontor.ts';

const textOf = async (content: AsyncIterable<unknown>) => {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
};
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

/** Tests that must pass wherever files are stored. */
function contract(stage: () => Promise<{ store: Store; folder: string }>): void {
  let store: Store;
  let folder: string;
  const at = (path: string) => join(folder, path);
  const read = (path: string) => useFile(store, at(path), (local) => readFile(local, 'utf8'));
  beforeAll(async () => ({ store, folder } = await stage()));

  it('stores a finished file under its path and no other', async () => {
    await store.keep(await made(at('C1/M1/snapshots/1.parquet'), 'Inhalt'), at('C1/M1/snapshots/1.parquet'));
    expect(await read('C1/M1/snapshots/1.parquet')).toBe('Inhalt');
    expect(await store.has(at('C1/M1/snapshots/1.parquet'))).toBe(true);
    expect(await store.has(at('C1/M1/snapshots/2.parquet'))).toBe(false);
    await expect(read('C1/M1/snapshots/2.parquet')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(store.stream(at('C1/M1/snapshots/2.parquet'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('stores a stream as it comes, also an empty one', async () => {
    await store.receive(at('C1/M1/incoming/r1'), sent('sku;name\n', 'A-1;Tasse\n'));
    expect(await read('C1/M1/incoming/r1')).toBe('sku;name\nA-1;Tasse\n');
    await store.receive(at('C1/M1/incoming/r2'), sent());
    expect(await read('C1/M1/incoming/r2')).toBe('');
  });

  it('reports a stream that breaks off', async () => {
    const broken = async function* () {
      yield Buffer.from('halb');
      throw new Error('cut');
    };
    await expect(store.receive(at('C1/M1/incoming/r3.part'), broken())).rejects.toThrow('cut');
  });

  it('reads a range of a file, and the whole file as a stream', async () => {
    await store.keep(await made(at('C1/E1/runs/1.csv'), '0123456789'), at('C1/E1/runs/1.csv'));
    expect(await textOf(await store.stream(at('C1/E1/runs/1.csv')))).toBe('0123456789');
    expect(await textOf(await store.stream(at('C1/E1/runs/1.csv'), { start: 2, end: 4 }))).toBe('234');
  });

  it('serves the version stored last under a path', async () => {
    await store.keep(await made(at('C1/E1/runs/2.csv'), 'alt'), at('C1/E1/runs/2.csv'));
    await store.keep(await made(at('C1/E1/runs/2.csv'), 'neu'), at('C1/E1/runs/2.csv'));
    expect(await read('C1/E1/runs/2.csv')).toBe('neu');
  });

  it('lists, measures and removes the files of a folder, without temporary ones', async () => {
    for (const [path, content] of [
      ['C2/M1/snapshots/1.parquet', 'a'],
      ['C2/E1/runs/1.csv', 'bcd'],
    ] as const)
      await store.keep(await made(at(path), content), at(path));
    await made(at('C2/E1/runs/2.csv'), 'unter Arbeit');
    const names = async () =>
      (await store.list(at('C2'))).map(({ path, bytes }) => [path.slice(folder.length + 1), bytes]);
    expect((await names()).toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ['C2/E1/runs/1.csv', 3],
      ['C2/M1/snapshots/1.parquet', 1],
    ]);
    await store.remove([at('C2/E1/runs/1.csv'), at('C2/E1/runs/9.csv')]);
    expect(await names()).toEqual([['C2/M1/snapshots/1.parquet', 1]]);
    expect((await store.sizeOf([at('C2/M1')])).bytes).toBe(1);
    await store.removeBelow(at('C2'));
    expect(await names()).toEqual([]);
    expect(await store.has(at('C2/M1/snapshots/1.parquet'))).toBe(false);
  });

  it('I2 shows the files of a job only after its transaction', async () => {
    const attempt = { id: 'J1', fence: 1 };
    const final = at('C1/M1/snapshots/3.parquet');
    const files = [{ temporary: await made(final, 'fertig'), final }];
    await store.prepare(attempt, files);
    expect(await store.has(final)).toBe(false);
    await database.company('C1', (trx) => store.place(trx, attempt, files));
    await store.settle(attempt, files);
    await store.discard(attempt, files);
    expect(await read('C1/M1/snapshots/3.parquet')).toBe('fertig');
  });

  it('leaves no temporary file of a job, even if another file has the same content', async () => {
    for (const [fence, name] of ['C5/E1/runs/1.csv', 'C5/E1/runs/2.csv'].entries()) {
      const attempt = { id: 'J3', fence };
      const files = [{ temporary: await made(at(name), 'gleich'), final: at(name) }];
      await store.prepare(attempt, files);
      await database.company('C5', (trx) => store.place(trx, attempt, files));
      await store.settle(attempt, files);
      await store.discard(attempt, files);
    }
    expect((await readdir(at('C5/E1/runs'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('never shows files of an attempt that was overtaken before its transaction', async () => {
    const final = at('C1/M1/snapshots/4.parquet');
    const late = [{ temporary: await made(final, 'zu spät'), final }];
    const timely = [{ temporary: await made(final, 'rechtzeitig'), final }];
    await store.prepare({ id: 'J2', fence: 1 }, late);
    await store.prepare({ id: 'J2', fence: 2 }, timely);
    await database.company('C1', (trx) => store.place(trx, { id: 'J2', fence: 2 }, timely));
    await store.settle({ id: 'J2', fence: 2 }, timely);
    await store.discard({ id: 'J2', fence: 1 }, late);
    expect(await read('C1/M1/snapshots/4.parquet')).toBe('rechtzeitig');
  });
}

describe('files in a folder', () => {
  contract(async () => {
    const folder = join(root, 'folder', 'items');
    await mkdir(folder, { recursive: true });
    return { store: folderStore, folder };
  });
});

describe.skipIf(!hasObjectStore)('files in a bucket (needs root and radosgw)', () => {
  let server: ObjectStore;
  let bucket: string;
  const closers: (() => Promise<void>)[] = [];
  /** Opens the store as a process with a folder of its own would. */
  const processOn = async (name: string, { cacheBytes = 100e6, secretKey = server.secretKey } = {}) => {
    const folder = join(root, name, 'items');
    await mkdir(folder, { recursive: true });
    const access = { ...accessTo(server, bucket), secretKey };
    const stage = await bucketStage(access, { database, folder, cacheBytes });
    closers.push(stage.close);
    return { ...stage, folder, at: (path: string) => join(folder, path) };
  };
  const read = async ({ store, at }: Awaited<ReturnType<typeof processOn>>, path: string) =>
    useFile(store, at(path), (local) => readFile(local));
  const keep = async ({ store, at }: Awaited<ReturnType<typeof processOn>>, path: string, content: Uint8Array) =>
    store.keep(await made(at(path), content), at(path));
  beforeAll(async () => {
    server = await objectStore();
    bucket = await makeBucket(server);
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  describe('like every store', () => {
    contract(() => processOn('contract'));
  });

  it('another machine reads the same bytes, and concurrent reads fetch them once', async () => {
    const [one, other] = [await processOn('one'), await processOn('other')];
    const content = randomBytes(3_000_000);
    await keep(one, 'C3/M1/snapshots/1.parquet', content);
    const fetches = vi.spyOn(other.bucket, 'read');
    const all = await Promise.all(Array.from({ length: 10 }, () => read(other, 'C3/M1/snapshots/1.parquet')));
    expect(fetches).toHaveBeenCalledTimes(1);
    for (const bytes of all) expect(hashOf(bytes)).toBe(hashOf(content));
    expect(await readdir(join(other.folder, '.store-cache', '0'))).toEqual([hashOf(content), 'kontor.lock']);
  });

  it('a large file is sent in parts and read back whole', async () => {
    const [one, other] = [await processOn('one-large'), await processOn('other-large')];
    const content = randomBytes(2 * FILE_PART + 12_345);
    await keep(one, 'C3/M1/snapshots/2.parquet', content);
    expect(hashOf(await read(other, 'C3/M1/snapshots/2.parquet'))).toBe(hashOf(content));
    await one.store.receive(
      one.at('C3/M1/incoming/r1'),
      sent(content.subarray(0, 9_000_000), content.subarray(9_000_000)),
    );
    expect(hashOf(await read(other, 'C3/M1/incoming/r1'))).toBe(hashOf(content));
  });

  it('of ten concurrent writes to a key one wins, and a write of the same bytes succeeds as well', async () => {
    const { bucket: objects, at } = await processOn('race');
    const paths = await Promise.all(Array.from({ length: 10 }, (_, n) => made(at(`C3/race-${n}`), `Inhalt ${n}`)));
    const all = await Promise.allSettled(paths.map((path) => objects.putFile('C3/race', path)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = all.findIndex(({ status }) => status === 'fulfilled');
    await expect(objects.putFile('C3/race', paths[winner] ?? '')).resolves.toMatchObject({ bytes: 8 });
  });

  it('the cache keeps its size limit, and refuses a file rather than evicting one in use', async () => {
    const one = await processOn('small', { cacheBytes: 250_000 });
    const names = ['a', 'b', 'c'].map((name) => `C3/M2/${name}`);
    for (const name of names) await keep(one, name, randomBytes(100_000));
    const held = await one.store.hold(names.slice(0, 2).map(one.at));
    const refused = read(one, 'C3/M2/c');
    await expect(refused).rejects.toMatchObject({ code: 'cache_full', status: 503 });
    expect((await readFile(held.localOf(one.at(names[0] ?? '')))).length).toBe(100_000);
    setTimeout(() => held.release(), 100);
    expect((await read(one, 'C3/M2/c')).length).toBe(100_000);
    await keep(one, 'C3/M2/d', randomBytes(300_000));
    await expect(read(one, 'C3/M2/d')).rejects.toMatchObject({ code: 'cache_full' });
  });

  it('a removed file leaves no cached copy, and an archive with personal data is never cached', async () => {
    const one = await processOn('copies');
    const copies = async () =>
      (await readdir(join(one.folder, '.store-cache', '0'))).filter((name) => name !== 'kontor.lock');
    await keep(one, 'C6/M1/snapshots/1.parquet', Buffer.from('Stand'));
    expect(await copies()).toHaveLength(1);
    await one.store.remove([one.at('C6/M1/snapshots/1.parquet')]);
    expect(await copies()).toEqual([]);
    const final = one.at('C6/work/A1.tar');
    const files = [{ temporary: await made(final, 'Erika Mustermann'), final }];
    const attempt = { id: 'A1', fence: 1 };
    await one.store.prepare(attempt, files);
    await database.company('C6', (trx) => one.store.place(trx, attempt));
    await one.store.settle(attempt);
    expect(await textOf(await one.store.stream(final))).toBe('Erika Mustermann');
    expect([await copies(), await readdir(join(one.folder, 'C6', 'work'))]).toEqual([[], []]);
  });

  it('an object that was changed or removed outside the program is refused', async () => {
    const one = await processOn('changed');
    const other = await processOn('changed-other');
    const large = randomBytes(65 * 1024 * 1024);
    await keep(one, 'C4/E1/runs/1.csv', large);
    await keep(one, 'C4/E1/runs/2.csv', Buffer.from('gute Preise'));
    const client = new S3Client({ ...accessTo(server, bucket) });
    onTestFinished(() => client.close());
    for await (const { key } of one.bucket.list('C4/')) {
      const bytes = key.includes('/1.csv')
        ? Buffer.concat([large.subarray(1), Buffer.of(0)])
        : Buffer.from('böse Preise');
      const content = { bytes: bytes.length, sha256: hashOf(bytes), open: () => bytes };
      await client.text({ method: 'PUT', key: `kontor/${key}`, content });
    }
    await expect(read(other, 'C4/E1/runs/2.csv')).rejects.toMatchObject({ code: 'file_changed', status: 503 });
    // While it is being sent, the last bytes are missing.
    const sending = textOf(await other.store.stream(other.at('C4/E1/runs/1.csv')));
    await expect(sending).rejects.toMatchObject({ code: 'file_changed' });
    for await (const { key } of one.bucket.list('C4/E1/runs/2.csv')) await one.bucket.delete(key);
    await expect(read(other, 'C4/E1/runs/2.csv')).rejects.toMatchObject({ code: 'file_lost', status: 503 });
  });

  it('a wrong key is reported as such, at the start as well', async () => {
    const wrong = await processOn('wrong', { secretKey: 'falsch-falsch-falsch' });
    await expect(wrong.bucket.check()).rejects.toMatchObject({ code: 'store_refused', status: 503 });
    await expect(keep(wrong, 'C3/M3/1', Buffer.from('x'))).rejects.toThrow(/S3_SECRET_KEY/);
    await (await processOn('right')).bucket.check();
  });

  it('a full bucket is reported as full', async () => {
    const account = await smallAccount();
    const folder = join(root, 'full', 'items');
    const one = await bucketStage(accessTo(account, await makeBucket(account)), { database, folder });
    closers.push(one.close);
    const keepIn = async (path: string) => one.store.keep(await made(join(folder, path), 'x'), join(folder, path));
    await keepIn('C3/M4/1');
    await expect(keepIn('C3/M4/2')).rejects.toMatchObject({ code: 'store_full', status: 503 });
  });
});
