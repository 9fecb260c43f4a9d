/** How far back the speed of a transfer looks: it follows the line, and does not jump with every piece. */
const LOOK_BACK_MS = 15_000;

/** Tells how fast bytes go, from what was told of it. */
export class Pace {
  private samples: { at: number; bytes: number }[] = [];

  /** `bytes`: sent altogether; fewer than before where some of it has to be sent again. */
  tell(at: number, bytes: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && bytes < last.bytes) this.samples = [];
    this.samples.push({ at, bytes });
    const from = this.samples.findLastIndex((one) => at - one.at >= LOOK_BACK_MS);
    if (from > 0) this.samples = this.samples.slice(from);
  }

  /** Bytes a second; null where too little is known. */
  perSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < 1000) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  }
}
