import { integerText } from '#shared/values/integer-text.ts';
import { KontorError } from '#platform/errors.ts';

/** How slow a server may be when files are downloaded. */
export type Pace = {
  /** Ms from the first request to the last byte, with redirects; at the pace of `steadyBytes` in it, a server may take longer. */
  readonly totalMs: number;
  readonly steadyBytes: number;
  /** In each span of `spanMs`, at least `leastBytes` must arrive. */
  readonly spanMs: number;
  readonly leastBytes: number;
};

/**
 * 4 GB in the total time are 2.4 MB/s, the pace that larger files must keep. 4 KiB/s is below the speed of any shop that
 * generates its catalogue while it is downloaded.
 */
export const defaultPace: Pace = {
  totalMs: 30 * 60_000,
  steadyBytes: 4 * 1024 ** 3,
  spanMs: 60_000,
  leastBytes: 60 * 4096,
};

const tooSlow = (words: string) =>
  new KontorError(
    422,
    'download_slow',
    `Der Server sendet zu langsam: ${words} Die Übertragung wurde beendet, der bisherige Stand gilt weiter. Bitte prüfen Sie den Server.`,
    { retryAfter: 300 },
  );

/**
 * Watches a transfer from its beginning; `signal` aborts with a German reason when it takes too long or hardly anything arrives
 * any more. A server that sends a byte now and then would occupy a slot of all companies forever. Always call `stop` at the end.
 */
export class PaceWatch {
  private readonly stopper = new AbortController();
  private readonly span: NodeJS.Timeout;
  private total: NodeJS.Timeout;
  private bytes = 0;
  private allBytes = 0;

  constructor({ totalMs, steadyBytes, spanMs, leastBytes }: Pace) {
    const abort = (words: string) => this.stopper.abort(tooSlow(words));
    const check = (passedMs: number) => {
      // Time that the bytes received so far allow at the steady pace.
      const earnedMs = Math.floor((this.allBytes / steadyBytes) * totalMs);
      if (earnedMs <= passedMs) abort(`Nach ${words(passedMs)} war die Datei nicht da.`);
      else this.total = setTimeout(() => check(earnedMs), earnedMs - passedMs).unref();
    };
    this.total = setTimeout(() => check(totalMs), totalMs).unref();
    this.span = setInterval(() => {
      if (this.bytes < leastBytes) abort(`In ${words(spanMs)} kamen nur ${integerText(this.bytes)} Bytes an.`);
      this.bytes = 0;
    }, spanMs).unref();
  }

  get signal(): AbortSignal {
    return this.stopper.signal;
  }

  count(bytes: number): void {
    this.bytes += bytes;
    this.allBytes += bytes;
  }

  stop(): void {
    clearTimeout(this.total);
    clearInterval(this.span);
  }
}

const words = (ms: number) =>
  ms >= 120_000 ? `${Math.round(ms / 60_000)} Minuten` : `${Math.ceil(ms / 1000)} Sekunden`;
