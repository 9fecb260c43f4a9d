import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import type { Database, Trx } from '#platform/db/database.ts';
import type { JobFile } from '#platform/jobs/job-files.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { FileCache } from './file-cache.ts';
import { folderStore } from './folder-store.ts';
import type { Bucket, Listed } from './s3/bucket.ts';
import { StoreRefusal } from './s3/store-refusal.ts';
import { removalsHeld } from './removal-hold.ts';
import { fileChanged, fileLost } from './store-errors.ts';
import {
  type Attempt,
  type ByteRange,
  type Described,
  type HeldFiles,
  type ListedFile,
  noSuchFile,
  type Store,
} from './store.ts';
import {
  companyOf,
  findRows,
  type NewRow,
  putRows,
  removeRows,
  rowsBelow,
  rowsOf,
  type StoredRow,
} from './stored-rows.ts';

/** In bytes: smaller files are cached before they are sent, so that the next request is served from the cache. */
const CACHED_BYTES = 64 * 1024 * 1024;

/** How long a signed address is valid, in seconds: it is used at once, and a running transfer continues after that. */
const ADDRESS_SECONDS = 300;

type Deps = {
  readonly database: Database;
  readonly bucket: Bucket;
  readonly cache: FileCache;
  /** Local folder: paths below it name the files; temporary files are stored there. */
  readonly folder: string;
  /** Whether clients may be redirected to the bucket to download a file. */
  readonly redirects: boolean;
  readonly log: Log;
};

/**
 * Stores files in a bucket. An object's key is the file's path plus a suffix unique to the attempt, so that no write changes an
 * object that is being read; the row of the path names the current object, its length and its hash. Callers that need a local
 * path get that of a verified copy in the cache.
 */
export class BucketStore implements Store {
  private readonly deps: Deps;
  /** Objects that attempts have put into the bucket and that wait for their transaction. */
  private readonly prepared = new Map<string, { row: NewRow; temporary: string }[]>();
  constructor(deps: Deps) {
    this.deps = deps;
  }

  async has(path: string, trx?: Trx): Promise<boolean> {
    if (path.endsWith('.tmp')) return folderStore.has(path);
    const named = this.named(path);
    const rows = trx ? await rowsOf(trx, companyOf(named), [named]) : await findRows(this.deps.database, [named]);
    return rows.length > 0;
  }

  async hold(paths: readonly string[]): Promise<HeldFiles> {
    const wanted = paths.filter((path) => !path.endsWith('.tmp'));
    const rows = wanted.length === 0 ? [] : await findRows(this.deps.database, wanted.map(this.named));
    const held = new Map<string, { path: string; release: () => void }>();
    const release = () => {
      for (const one of held.values()) one.release();
    };
    try {
      for (const row of rows) held.set(row.path, await this.held(row));
    } catch (error) {
      release();
      throw error;
    }
    return { localOf: (path) => held.get(this.named(path))?.path ?? path, release };
  }

  async stream(path: string, range?: ByteRange): Promise<Readable> {
    const [row] = await findRows(this.deps.database, [this.named(path)]);
    if (row === undefined) throw noSuchFile(path);
    const { cache } = this.deps;
    const passes = isSentOnly(row) || (row.bytes > CACHED_BYTES && !cache.has(row));
    if (range === undefined && passes) return this.verified(row);
    const held = await this.held(row);
    const content = createReadStream(held.path, { highWaterMark: 256 * 1024, ...range });
    content.once('close', held.release);
    return content;
  }

  /** Checks first that the object exists with the right length: the bucket's own error would not be in our format. */
  async addressOf(path: string, { mime, name }: Described): Promise<string | undefined> {
    const { database, bucket, redirects } = this.deps;
    if (!redirects) return undefined;
    const [row] = await findRows(database, [this.named(path)]);
    if (row === undefined) throw noSuchFile(path);
    if (isSentOnly(row)) return undefined;
    const bytes = await bucket.sizeOf(row.object);
    if (bytes === undefined) throw fileLost(row.path);
    if (bytes !== row.bytes) throw fileChanged(row.path);
    const as = {
      'response-cache-control': 'no-cache',
      'response-content-type': mime,
      'response-content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(name)}`,
    };
    return bucket.addressOf(row.object, as, ADDRESS_SECONDS);
  }

  async keep(temporary: string, path: string): Promise<void> {
    const object = `${this.named(path)}.${randomUUID()}`;
    const row = { path: this.named(path), object, ...(await this.deps.bucket.putFile(object, temporary)) };
    await this.putRow(row);
    await this.deps.cache.adopt(row, temporary);
    await rm(temporary, { force: true });
  }

  async receive(path: string, content: AsyncIterable<Uint8Array>, expected = 0): Promise<void> {
    const object = `${this.named(path)}.${randomUUID()}`;
    const put = await this.deps.bucket.putStream(object, content, expected);
    await this.putRow({ path: this.named(path), object, ...put });
  }

  async remove(paths: readonly string[]): Promise<void> {
    const removed = await removeRows(this.deps.database, paths.map(this.named));
    for (const { sha256 } of removed) await this.deps.cache.drop(sha256);
    await this.removeUnlessHeld(removed.map(({ object }) => object));
  }

  async removeBelow(folder: string): Promise<void> {
    const { bucket, database } = this.deps;
    const rows = await rowsBelow(database, this.named(folder));
    await removeRows(
      database,
      rows.map(({ path }) => path),
    );
    for (const { sha256 } of rows) await this.deps.cache.drop(sha256);
    // Also objects without a row, now: the nightly cleanup skips this folder from here on. A backup missing them reports it.
    const objects: string[] = [];
    for await (const { key } of bucket.list(`${this.named(folder)}/`)) objects.push(key);
    const [left] = await this.removeObjects(objects);
    await bucket.abortUploads(`${this.named(folder)}/`);
    // Files computed from them on this machine.
    await rm(folder, { recursive: true, force: true });
    if (left !== undefined) throw left;
  }

  async list(folder: string): Promise<ListedFile[]> {
    const rows = await rowsBelow(this.deps.database, this.named(folder));
    return rows.map(({ path, bytes, createdAt }) => ({
      path: `${this.deps.folder}/${path}`,
      bytes,
      at: createdAt,
    }));
  }

  async sizeOf(folders: readonly string[]): Promise<{ files: number; bytes: number }> {
    const sum = { files: 0, bytes: 0 };
    for (const folder of folders)
      for (const { bytes } of await rowsBelow(this.deps.database, this.named(folder))) {
        sum.files++;
        sum.bytes += bytes;
      }
    return sum;
  }

  async tidy(company: string, before: Date): Promise<{ removed: number; lost: string[] }> {
    const { bucket, database } = this.deps;
    const aborted = await bucket.abortUploads(`${company}/`, before);
    const listed = new Map<string, Listed>();
    for await (const one of bucket.list(`${company}/`)) listed.set(one.key, one);
    // Read after the listing, so that objects that got their row meanwhile are known.
    const rows = await rowsBelow(database, company);
    const known = new Set(rows.map(({ object }) => object));
    const strays = [...listed.values()].filter(({ key, modified }) => !known.has(key) && modified < before);
    const removed = await this.removeUnlessHeld(strays.map(({ key }) => key));
    const lost = rows.filter(
      ({ object, bytes, createdAt }) => createdAt < before && listed.get(object)?.bytes !== bytes,
    );
    return { removed: removed + aborted, lost: lost.map(({ path }) => path) };
  }

  async prepare(attempt: Attempt, files: readonly JobFile[]): Promise<void> {
    const made: { row: NewRow; temporary: string }[] = [];
    for (const { temporary, final } of files) {
      const object = `${this.named(final)}.${attempt.id}-${attempt.fence}`;
      const put = await this.deps.bucket.putFile(object, temporary);
      made.push({ row: { path: this.named(final), object, ...put }, temporary });
    }
    this.prepared.set(nameOf(attempt), made);
  }

  async place(trx: Trx, attempt: Attempt): Promise<void> {
    await putRows(
      trx,
      (this.prepared.get(nameOf(attempt)) ?? []).map(({ row }) => row),
    );
  }

  async settle(attempt: Attempt): Promise<void> {
    for (const { row, temporary } of this.prepared.get(nameOf(attempt)) ?? []) {
      if (!isSentOnly(row)) await this.deps.cache.adopt(row, temporary);
      await rm(temporary, { force: true });
    }
  }

  /** Objects without a row stay, as the transaction may have committed; the nightly cleanup removes them (stray-objects.ts). */
  async discard(attempt: Attempt): Promise<void> {
    this.prepared.delete(nameOf(attempt));
  }

  /** Returns a path relative to the folder, as in rows and keys. */
  private readonly named = (path: string): string => relative(this.deps.folder, path);

  private putRow(row: NewRow): Promise<void> {
    return this.deps.database.company(companyOf(row.path), (trx) => putRows(trx, [row]));
  }

  private held(row: StoredRow): Promise<{ path: string; release: () => void }> {
    return this.deps.cache.hold(row, row.path, () => this.content(row));
  }

  private async *content({ object, path }: StoredRow): AsyncGenerator<Buffer> {
    try {
      yield* this.deps.bucket.read(object);
    } catch (error) {
      throw error instanceof StoreRefusal && error.answered === 404 ? fileLost(path, error) : error;
    }
  }

  /** Yields the last chunk only after the whole content is verified: with wrong content the client sees a broken transfer. */
  private async verified(row: StoredRow): Promise<Readable> {
    const source = this.content(row);
    const first = await source.next();
    async function* checked() {
      const hash = createHash('sha256');
      let last: Buffer | undefined;
      try {
        for (let next = first; !next.done; next = await source.next()) {
          hash.update(next.value);
          if (last !== undefined) yield last;
          last = next.value;
        }
      } finally {
        await source.return(undefined);
      }
      if (hash.digest('hex') !== row.sha256) throw fileChanged(row.path);
      if (last !== undefined) yield last;
    }
    return Readable.from(checked(), { objectMode: false });
  }

  /**
   * Removes objects, except while a backup may be copying them; those, and objects that fail to be removed, are left to the
   * nightly cleanup. Returns the number of objects given, or 0 while a backup runs.
   */
  private async removeUnlessHeld(objects: readonly string[]): Promise<number> {
    if (objects.length === 0 || (await removalsHeld(this.deps.database))) return 0;
    await this.removeObjects(objects);
    return objects.length;
  }

  /** Removes objects; returns the errors of those that could not be removed. */
  private async removeObjects(objects: readonly string[]): Promise<unknown[]> {
    const left: unknown[] = [];
    for (const object of objects)
      await this.deps.bucket.delete(object).catch((error: unknown) => {
        this.deps.log.warn({ err: error, object }, 'an object could not be removed');
        left.push(error);
      });
    return left;
  }
}

/** Archives of a company's data contain personal data in clear: no copy of them is kept on any machine. */
const isSentOnly = ({ path }: Pick<StoredRow, 'path'>): boolean => path.split('/')[1] === 'work';

const nameOf = ({ id, fence }: Attempt): string => `${id}-${fence}`;
