import type { ImportWarning } from '#shared/import/schema.ts';

type Counted = { count: number; first: number | undefined; text: (count: number, first: number | undefined) => string };

/** Collects warnings for the merchant; events of one code are counted and become one sentence. */
export class Warnings {
  private readonly fixed = new Map<string, string>();
  private readonly counted = new Map<string, Counted>();

  /** Adds a warning once; the first text of a code is kept. */
  once(code: string, message: string): void {
    if (!this.fixed.has(code)) this.fixed.set(code, message);
  }

  /** Counts an event; `text` gets the total and the line of the first event. */
  count(code: string, line: number | undefined, text: Counted['text'], by = 1): void {
    const entry = this.counted.get(code);
    if (entry) entry.count += by;
    else this.counted.set(code, { count: by, first: line, text });
  }

  /** Takes back the last event of a code, because another warning tells it. */
  uncount(code: string): void {
    const entry = this.counted.get(code);
    if (entry !== undefined && --entry.count === 0) this.counted.delete(code);
  }

  drop(code: string): void {
    this.fixed.delete(code);
    this.counted.delete(code);
  }

  /** `counts`: with the line of the first event and their number, which those of other parts of the file are added to. */
  list(counts = false): ImportWarning[] {
    const fixed = [...this.fixed].map(([code, message]) => ({ code, message }));
    const counted = [...this.counted].map(([code, { count, first, text }]) => ({
      code,
      message: text(count, first),
      ...(first === undefined || !counts ? {} : { line: first, count }),
    }));
    return [...fixed, ...counted];
  }
}
