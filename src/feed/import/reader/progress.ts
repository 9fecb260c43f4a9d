import { open } from 'node:fs/promises';
import { roomGone } from './refusal.ts';
import type { ImportSession } from './session.ts';
import type { ImportHooks, ImportProgress } from './request.ts';

/**
 * Progress of one import as a share of the received file: unpacking and checking take the first part, reading the second,
 * writing the last. The share never falls, so a progress bar never runs backwards.
 */
export class Progress {
  private readonly total: number;
  private readonly hooks: ImportHooks;
  private readonly now: () => number;
  private readonly room: () => number;
  private done = 0;
  private reported = 0;
  private signs = 0;
  rows = 0;
  phase: ImportProgress['phase'] = 'reading';

  constructor(total: number, hooks: ImportHooks, now: () => number, room: () => number) {
    this.total = total;
    this.hooks = hooks;
    this.now = now;
    this.room = room;
  }

  /**
   * Reports `share` (0 to 1) of the step that spans `from` to `to` of the whole. Throws the abort reason when stopped, and a
   * refusal when the disk gets full.
   */
  step(share: number, from: number, to: number): void {
    this.hooks.signal?.throwIfAborted();
    if (this.room() < 0) throw roomGone();
    const bytes = Math.round(this.total * (from + (to - from) * Math.min(1, Math.max(0, share))));
    if (bytes > this.done) this.done = Math.min(bytes, this.total);
    const time = this.now();
    if (time - this.reported < 200) return;
    this.reported = time;
    this.report();
  }

  /** Returns a function that adds up bytes of a pass over `total` and reports them as the share `from` to `to` of the whole. */
  passOver(total: number, from: number, to: number): (bytes: number) => void {
    let done = 0;
    return (bytes) => {
      done += bytes;
      this.step(done / Math.max(1, total), from, to);
    };
  }

  /** Signals that work continues when no share is known. */
  beat(): void {
    this.sign();
    this.step(0, 0, 0);
  }

  /** Signals in the next report that work continues: checking a large file takes time after its last byte was written. */
  sign(): void {
    this.signs += 1;
  }

  report(): void {
    const { done, total, rows, phase, signs } = this;
    this.hooks.onProgress({ bytesDone: done, bytesTotal: total, rows, phase, signs });
  }
}

/** Runs DuckDB work and polls it four times a second for progress and cancellation. */
export async function polled<T>(
  progress: Progress,
  session: ImportSession,
  from: number,
  work: () => Promise<T>,
): Promise<T> {
  let ended: { reason: unknown } | undefined;
  const timer = setInterval(() => {
    const { percentage } = session.connection.progress;
    if (session.gotOn()) progress.sign();
    try {
      progress.step(Math.max(0, percentage) / 100, from, 0.95);
    } catch (reason) {
      ended = { reason };
      session.connection.interrupt();
    }
  }, 250);
  try {
    return await work();
  } catch (error) {
    throw ended === undefined ? error : ended.reason;
  } finally {
    clearInterval(timer);
    progress.step(0, 0, 0);
  }
}

/** Forces a file to the disk. This may take long for a large file, so it reports once a second that the import is alive. */
export async function syncFile(progress: Progress, file: string): Promise<void> {
  const timer = setInterval(() => {
    progress.sign();
    progress.report();
  }, 1000);
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    clearInterval(timer);
    await handle.close();
  }
}
