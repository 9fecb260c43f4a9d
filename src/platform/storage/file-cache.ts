import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { requireRoom } from './disk-room.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';
import { type Counter, type Metrics, noMetrics } from '#platform/telemetry/metrics.ts';
import { cacheFull, fileChanged } from './store-errors.ts';

/** A file identified by its content: requests for the same bytes share one file. */
export type Cached = { readonly sha256: string; readonly bytes: number };
type Entry = { bytes: number; pins: number; usedAt: number };
type Fetch = () => AsyncIterable<Uint8Array>;

/** How long a caller waits for others to release files, in ms. */
const WAIT_MS = 60_000;
const LOOK_MS = 50;
/** Most processes that share a data folder; each has its own cache folder. */
const MOST_PROCESSES = 256;

/**
 * Copies of stored files on this machine's disk, by hash. A file is downloaded once for all callers, and exists only if complete
 * and verified; the least recently used are removed when room is needed. Each process has its own folder, as another process
 * would remove files in use here.
 */
export class FileCache {
  private readonly folder: string;
  private readonly limit: number;
  private readonly waitMs: number;
  private readonly unlock: () => void;
  private readonly entries = new Map<string, Entry>();
  private readonly coming = new Map<string, Promise<void>>();
  private readonly deleting = new Map<string, Promise<void>>();
  private held = 0;
  private lookups = lookupsIn(noMetrics);

  private constructor(folder: string, limit: number, waitMs: number, unlock: () => void) {
    this.folder = folder;
    this.limit = limit;
    this.waitMs = waitMs;
    this.unlock = unlock;
  }

  /** Opens a cache with the files left by an earlier process in a folder below `root`. `limit`: bytes. */
  static async open(root: string, limit: number, waitMs = WAIT_MS): Promise<FileCache> {
    const [folder, unlock] = await freeFolder(root);
    const cache = new FileCache(folder, limit, waitMs, unlock);
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (name.endsWith('.tmp')) await rm(path, { recursive: true, force: true });
      if (!/^[0-9a-f]{64}$/.test(name)) continue;
      const { size, mtimeMs } = await stat(path);
      cache.entries.set(name, { bytes: size, pins: 0, usedAt: mtimeMs });
      cache.held += size;
    }
    await cache.reserve(0);
    return cache;
  }

  close(): void {
    this.unlock();
  }

  /** Counts lookups from here on. */
  measure(metrics: Metrics): void {
    this.lookups = lookupsIn(metrics);
    // Only a series that exists from the start shows its first increase.
    for (const outcome of ['hit', 'miss', 'full']) this.lookups.add({ outcome }, 0);
    metrics.reading('kontor_store_cache_bytes', 'Bytes in the file cache on this disk.', () => this.held);
    metrics.reading('kontor_store_cache_limit_bytes', 'Maximum size of the file cache.', () => this.limit);
    metrics.reading('kontor_store_cache_files', 'Files in the cache on this disk.', () => this.entries.size);
  }

  has({ sha256 }: Cached): boolean {
    return this.entries.has(sha256);
  }

  /**
   * Returns the local path of a file, which stays until `release`.
   * @throws file_changed if other bytes arrive, cache_full if all room is in use
   */
  async hold(file: Cached, path: string, fetch: Fetch): Promise<{ path: string; release: () => void }> {
    const { sha256, bytes } = file;
    this.lookups.add({ outcome: this.entries.has(sha256) ? 'hit' : 'miss' });
    while (!this.entries.has(sha256)) await this.comes(sha256, () => this.bring(file, path, fetch));
    const entry = this.entries.get(sha256) ?? { bytes, pins: 0, usedAt: 0 };
    entry.pins++;
    entry.usedAt = Date.now();
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      entry.pins--;
    };
    return { path: join(this.folder, sha256), release };
  }

  /** Moves a file made on this machine into the cache, so that it need not be downloaded; without room it stays where it is. */
  async adopt(file: Cached, path: string): Promise<void> {
    if (this.entries.has(file.sha256) || this.coming.has(file.sha256)) return;
    await this.comes(file.sha256, () => this.takeOver(file, path));
  }

  /** Removes the copy of a deleted file, unless it is in use. */
  drop(sha256: string): Promise<void> {
    return this.remove(sha256);
  }

  /** Removes copies that nobody has used since `before`. */
  async forget(before: Date): Promise<void> {
    for (const [name, { pins, usedAt }] of this.entries)
      if (pins === 0 && usedAt < before.getTime()) await this.remove(name);
  }

  /** Runs `arrive` once for all callers that wait for a file. */
  private comes(sha256: string, arrive: () => Promise<void>): Promise<void> {
    const running = this.coming.get(sha256);
    if (running !== undefined) return running;
    const one = arrive().finally(() => this.coming.delete(sha256));
    this.coming.set(sha256, one);
    return one;
  }

  private async takeOver({ sha256, bytes }: Cached, path: string): Promise<void> {
    await this.deleting.get(sha256);
    if (!(await this.reserve(bytes))) return;
    try {
      await rename(path, join(this.folder, sha256));
      this.entries.set(sha256, { bytes, pins: 0, usedAt: Date.now() });
    } catch {
      // It stays where it is.
      this.held -= bytes;
    }
  }

  private async bring({ sha256, bytes }: Cached, path: string, fetch: Fetch): Promise<void> {
    await this.deleting.get(sha256);
    for (let waited = 0; !(await this.reserve(bytes)); waited += LOOK_MS) {
      if (bytes > this.limit || waited >= this.waitMs) {
        this.lookups.add({ outcome: 'full' });
        throw cacheFull();
      }
      await wait(LOOK_MS);
    }
    const target = join(this.folder, sha256);
    const temporary = `${target}.tmp`;
    try {
      await requireRoom(this.folder, bytes);
      const hash = createHash('sha256');
      let came = 0;
      async function* counted(content: AsyncIterable<Uint8Array>) {
        for await (const chunk of content) {
          hash.update(chunk);
          came += chunk.length;
          if (came > bytes) throw fileChanged(path);
          yield chunk;
        }
      }
      await pipeline(fetch(), counted, createWriteStream(temporary));
      if (came !== bytes || hash.digest('hex') !== sha256) throw fileChanged(path);
      await rename(temporary, target);
      this.entries.set(sha256, { bytes, pins: 0, usedAt: Date.now() });
    } catch (error) {
      this.held -= bytes;
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Makes room for `bytes` and counts them; returns false if files in use leave no room. */
  private async reserve(bytes: number): Promise<boolean> {
    if (bytes > this.limit) return false;
    const unused = [...this.entries].filter(([, { pins }]) => pins === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [name] of unused) {
      if (this.held + bytes <= this.limit) break;
      await this.remove(name);
    }
    if (this.held + bytes > this.limit) return false;
    this.held += bytes;
    return true;
  }

  private async remove(name: string): Promise<void> {
    const entry = this.entries.get(name);
    if (entry === undefined || entry.pins > 0) return;
    this.entries.delete(name);
    this.held -= entry.bytes;
    const deletion = rm(join(this.folder, name), { force: true }).finally(() => this.deleting.delete(name));
    this.deleting.set(name, deletion);
    await deletion;
  }
}

const lookupsIn = (metrics: Metrics): Counter<'outcome'> =>
  metrics.counter(
    'kontor_store_cache_lookups_total',
    'Lookups in the file cache: cached (hit), fetched (miss), no room to fetch (full).',
    ['outcome'],
  );

/** Returns the first folder that no living process uses. */
async function freeFolder(root: string): Promise<[folder: string, unlock: () => void]> {
  for (let index = 0; index < MOST_PROCESSES; index++) {
    const folder = join(root, String(index));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return [folder, lockFolder(folder)];
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
    }
  }
  throw new Error(`no free folder below ${root}`);
}
