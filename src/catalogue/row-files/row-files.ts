import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withoutClientSignal } from '#platform/db/client-signal.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { requireRoom } from '#platform/storage/disk-room.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { RowFile, rowBytes, type Row, type RowSource } from './row-file.ts';

/**
 * `items`: smaller snapshots are fast enough without a row file. `bytes`: limit for all files together. `idleMs`: how long an
 * unused file is kept.
 */
export type RowFileLimits = { readonly items: number; readonly bytes: number; readonly idleMs: number };
const LIMITS: RowFileLimits = { items: 50_000, bytes: 4 * 1024 ** 3, idleMs: 10 * 60_000 };

/** Longest time for writing a file, in milliseconds. */
const MOST_MS = 120_000;

type CachedFile = {
  state: 'asked' | 'making' | 'ready' | 'refused';
  file: RowFile | undefined;
  timer: NodeJS.Timeout | undefined;
};

/**
 * Row files of snapshots in which users sort, filter and page. The second request for a snapshot starts the file without waiting
 * for it; until it is written, and if there is no room for it, rows come from the snapshot. A file is removed when unused, or for
 * newer ones. A snapshot never changes, so its file never becomes stale.
 */
export class RowFiles {
  private readonly duckdb: DuckDb;
  private readonly limits: RowFileLimits;
  /** Least recently used first. */
  private readonly cached = new Map<string, CachedFile>();
  private making = false;

  constructor(duckdb: DuckDb, limits: RowFileLimits = LIMITS) {
    this.duckdb = duckdb;
    this.limits = limits;
  }

  /** Returns those of the rows at these numbers that a row file has. */
  async rows(source: RowSource, numbers: readonly number[]): Promise<Map<number, Row>> {
    if (source.items < this.limits.items) return new Map();
    const known = this.cached.get(source.path);
    const entry = known ?? { state: 'asked', file: undefined, timer: undefined };
    this.touch(source.path, entry);
    if (known?.state === 'asked' && !this.making) void withoutClientSignal(() => this.make(source, known));
    return (await entry.file?.rows(numbers).catch(() => undefined)) ?? new Map();
  }

  measure(metrics: Metrics): void {
    metrics.reading('kontor_row_files', 'Row files for pages of the item table.', () => this.size().files);
    metrics.reading(
      'kontor_row_files_bytes',
      'Bytes of the row files on this disk and in memory.',
      () => this.size().bytes,
    );
  }

  /** Returns the number of files and their bytes. */
  size(): { files: number; bytes: number } {
    const files = [...this.cached.values()].flatMap(({ file }) => file ?? []);
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Removes all files; for the end of the program. */
  close(): void {
    for (const path of this.cached.keys()) this.drop(path);
  }

  /** Only one at a time, so that they do not compete for disk and processor. */
  private async make(source: RowSource, entry: CachedFile): Promise<void> {
    this.making = true;
    entry.state = 'making';
    const signal = AbortSignal.timeout(MOST_MS);
    try {
      const expected = source.items * (await rowBytes(this.duckdb, source, signal));
      if (expected > this.limits.bytes) throw new Error('the row file is larger than its limit');
      await mkdir(dirname(source.path), { recursive: true });
      await requireRoom(dirname(source.path), 2 * expected);
      entry.file = await RowFile.make(this.duckdb, source, signal);
      entry.state = 'ready';
    } catch {
      // Rows still come from the snapshot.
      entry.state = 'refused';
    } finally {
      this.making = false;
    }
    if (this.cached.get(source.path) !== entry) await entry.file?.close();
    else this.makeRoom();
  }

  private makeRoom(): void {
    for (const path of this.cached.keys()) {
      if (this.size().bytes <= this.limits.bytes) return;
      this.drop(path);
    }
  }

  private touch(path: string, entry: CachedFile): void {
    clearTimeout(entry.timer);
    this.cached.delete(path);
    this.cached.set(path, entry);
    entry.timer = setTimeout(() => {
      if (this.cached.get(path) === entry) this.drop(path);
    }, this.limits.idleMs).unref();
  }

  private drop(path: string): void {
    const entry = this.cached.get(path);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.cached.delete(path);
    void entry.file?.close();
  }
}
