/** Milliseconds over which the speed of a transfer is averaged: long enough that it does not jump with every chunk. */
const LOOK_BACK_MS = 15_000;

/** Measures the speed of a transfer from reported byte counts. */
export class Pace {
  private samples: { at: number; bytes: number }[] = [];

  /** `bytes`: total sent so far; lower than before if a part has to be sent again. */
  tell(at: number, bytes: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && bytes < last.bytes) this.samples = [];
    this.samples.push({ at, bytes });
    const from = this.samples.findLastIndex((one) => at - one.at >= LOOK_BACK_MS);
    if (from > 0) this.samples = this.samples.slice(from);
  }

  /** Returns bytes per second; null while too little is known. */
  perSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < 1000) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  }
}
