import type { SharedCounts } from '#platform/http/limits/shared-counts.ts';
import { KontorError } from '#platform/errors.ts';

const MOST_AT_A_TIME = 2;
/** How long other processes count a running transfer: longer than any transfer takes. */
const HOUR_MS = 60 * 60 * 1000;

/** Limits the number of files, or pieces of files, that a company uploads at once, over all processes. */
export class Senders {
  private readonly counts: SharedCounts;
  private readonly sending = new Map<string, number>();

  constructor(counts: SharedCounts) {
    this.counts = counts;
  }

  /** Runs `work` as one of the company's uploads. @throws 429 where two are running already */
  async during<T>(company: string, work: () => Promise<T>): Promise<T> {
    if ((this.sending.get(company) ?? 0) + this.counts.others(`uploads:${company}`) >= MOST_AT_A_TIME)
      throw new KontorError(
        429,
        'too_many_uploads',
        'Es laufen bereits zwei Übertragungen. Bitte warten, bis eine fertig ist.',
        { retryAfter: 10 },
      );
    this.count(company, 1);
    try {
      return await work();
    } finally {
      this.count(company, -1);
    }
  }

  private count(company: string, by: number): void {
    const now = (this.sending.get(company) ?? 0) + by;
    this.sending.set(company, now);
    this.counts.tell(`uploads:${company}`, now, HOUR_MS);
  }
}
