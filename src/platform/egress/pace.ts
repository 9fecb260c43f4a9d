import { integerText } from '#shared/values/integer-text.ts';
import { KontorError } from '#platform/errors.ts';

/** How slow a server may be that files are fetched from. */
export type Pace = {
  /** From the first question to the last byte, redirects included; a server that is as quick as `steadyBytes` in it may go on. */
  readonly totalMs: number;
  readonly steadyBytes: number;
  /** In every such span so many bytes must have come. */
  readonly spanMs: number;
  readonly leastBytes: number;
};

/** 4 GB in the whole time are 2.4 MB/s, which larger files must keep up; 4 KiB/s is less than any shop needs to write its catalogue down while it is fetched. */
export const usualPace: Pace = {
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
 * Watches a transfer from its beginning; `signal` is aborted with a German reason when it takes too long or nearly nothing comes any
 * more. A server that sends a byte now and then would keep a slot of all companies for ever. To be stopped in any case.
 */
export class PaceWatch {
  private readonly stopper = new AbortController();
  private readonly span: NodeJS.Timeout;
  private total: NodeJS.Timeout;
  private bytes = 0;
  private allBytes = 0;

  constructor({ totalMs, steadyBytes, spanMs, leastBytes }: Pace) {
    const abort = (words: string) => this.stopper.abort(tooSlow(words));
    const look = (passedMs: number) => {
      // Until then it has earned what it needs, at the pace that the whole time allows.
      const earnedMs = Math.floor((this.allBytes / steadyBytes) * totalMs);
      if (earnedMs <= passedMs) abort(`Nach ${words(passedMs)} war die Datei nicht da.`);
      else this.total = setTimeout(() => look(earnedMs), earnedMs - passedMs).unref();
    };
    this.total = setTimeout(() => look(totalMs), totalMs).unref();
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
