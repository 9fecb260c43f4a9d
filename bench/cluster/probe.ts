import { setTimeout as wait } from 'node:timers/promises';

const EVERY_MS = 500;
/** A longer wait (ms) counts as no answer. */
const LATE_MS = 30_000;

export type Outage = { readonly minute: number; readonly seconds: number; readonly said: string };

/** Requests one thing repeatedly through the proxy, and records how long it was answered by 5xx or not at all. */
export class Probe {
  readonly name: string;
  readonly outages: Outage[] = [];
  asked = 0;
  slowestMs = 0;
  private readonly ask: (signal: AbortSignal) => Promise<Response>;
  private readonly minute: () => number;
  private readonly over = new AbortController();
  private running: Promise<void> | undefined;

  constructor(name: string, ask: (signal: AbortSignal) => Promise<Response>, minute: () => number) {
    this.name = name;
    this.ask = ask;
    this.minute = minute;
  }

  get longest(): number {
    return Math.max(0, ...this.outages.map(({ seconds }) => seconds));
  }

  start(): void {
    this.running = this.look();
  }

  async stop(): Promise<void> {
    this.over.abort();
    await this.running;
  }

  private async look(): Promise<void> {
    let down: { at: number; minute: number; said: Set<string> } | undefined;
    const ends = () => {
      if (down === undefined) return;
      const { at, minute, said } = down;
      this.outages.push({ minute, seconds: (performance.now() - at) / 1000, said: [...said].join(', ') });
      down = undefined;
    };
    while (!this.over.signal.aborted) {
      const at = performance.now();
      const fault = await this.once();
      this.asked++;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - at);
      if (fault === undefined) ends();
      else {
        down ??= { at, minute: this.minute(), said: new Set() };
        down.said.add(fault);
      }
      await wait(EVERY_MS, undefined, { signal: this.over.signal }).catch(() => {});
    }
    ends();
  }

  /** Returns what is wrong with the answer. */
  private async once(): Promise<string | undefined> {
    try {
      const answer = await this.ask(AbortSignal.timeout(LATE_MS));
      const text = await answer.text();
      if (answer.status < 400) return undefined;
      return `${answer.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    }
  }
}
