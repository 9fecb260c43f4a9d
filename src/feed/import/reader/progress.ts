import type { ImportHooks, ImportProgress } from './request.ts';

/**
 * Progress of one import as a share of the received file: unpacking and checking take the first part, reading the
 * second, writing the rest. The share never falls, so a bar never runs backwards.
 */
export class Progress {
  private readonly total: number;
  private readonly hooks: ImportHooks;
  private readonly now: () => number;
  private done = 0;
  private reported = 0;
  private signs = 0;
  rows = 0;
  phase: ImportProgress['phase'] = 'reading';

  constructor(total: number, hooks: ImportHooks, now: () => number) {
    this.total = total;
    this.hooks = hooks;
    this.now = now;
  }

  /** `share` 0 to 1 of the step that spans `from` to `to` of the whole. Throws the abort reason when stopped. */
  step(share: number, from: number, to: number): void {
    this.hooks.signal?.throwIfAborted();
    const bytes = Math.round(this.total * (from + (to - from) * Math.min(1, Math.max(0, share))));
    if (bytes > this.done) this.done = Math.min(bytes, this.total);
    const time = this.now();
    if (time - this.reported < 200) return;
    this.reported = time;
    this.report();
  }

  /** Says that work went on; the next report tells. What checks a large file takes its time after the last byte of it was written. */
  sign(): void {
    this.signs += 1;
  }

  report(): void {
    const { done, total, rows, phase, signs } = this;
    this.hooks.onProgress({ bytesDone: done, bytesTotal: total, rows, phase, signs });
  }
}
