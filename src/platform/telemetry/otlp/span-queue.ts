import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Counter, Metrics } from '#platform/telemetry/metrics.ts';
import type { Attributes } from '#platform/telemetry/spans.ts';
import { Collector, type Verdict } from './collector.ts';
import type { TraceSettings } from './settings.ts';
import { type EndedSpan, spansBody } from './span-json.ts';

/** Sizes and times of the queue; different in tests. */
export type QueuePace = {
  /** Most spans that wait: an unreachable collector must not fill the memory. */
  readonly mostWaiting: number;
  /** Spans per request, sent as soon as that number waits, otherwise every `everyMs`. */
  readonly batch: number;
  readonly everyMs: number;
  /** Time limit for the collector's answer. */
  readonly patienceMs: number;
  /** Time at the end of the program for spans that still wait. */
  readonly closeMs: number;
  /** Shortest time between two log lines, however many errors occur. */
  readonly sayMs: number;
};
const defaultPace: QueuePace = {
  mostWaiting: 2048,
  batch: 512,
  everyMs: 5000,
  patienceMs: 10_000,
  closeMs: 5000,
  sayMs: 60_000,
};
/** Longest pause between attempts to reach the collector: 5 s at first, doubled each time up to this. */
const LONGEST_PAUSE_MS = 60_000;

type Deps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Attributes common to all spans of this process. */
  readonly resource: Attributes;
};

/** Queue of spans for the collector: bounded, sent batch by batch, and adding a span never waits. */
export class SpanQueue {
  private readonly deps: Deps;
  private readonly pace: QueuePace;
  private readonly collector: Collector;
  private readonly counted: Counter<'outcome'>;
  private readonly stop = new AbortController();
  private readonly timer: ReturnType<typeof setInterval>;
  private waiting: EndedSpan[] = [];
  private sending: Promise<void> | undefined;
  private failures = 0;
  /** On the monotonic clock of the process, in ms. */
  private notBefore = 0;
  private saidAt = -Infinity;
  private lost = 0;

  constructor(settings: TraceSettings, deps: Deps, pace: QueuePace = defaultPace) {
    this.deps = deps;
    this.pace = pace;
    this.collector = new Collector(settings, pace.patienceMs);
    this.counted = deps.metrics.counter(
      'kontor_spans_total',
      'Spans: sent, dropped for want of room or of time at the end, refused by the collector.',
      ['outcome'],
    );
    deps.metrics.reading('kontor_spans_waiting', 'Spans on their way to the collector.', () => this.waiting.length);
    this.timer = setInterval(() => void this.send(1), pace.everyMs).unref();
  }

  add(span: EndedSpan): void {
    if (this.waiting.length >= this.pace.mostWaiting) return this.countLost('dropped', 1, 'too many wait');
    this.waiting.push(span);
    if (this.waiting.length >= this.pace.batch) void this.send(this.pace.batch);
  }

  /** Sends the waiting spans while the collector accepts them; spans still left are dropped. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    const end = setTimeout(() => this.stop.abort(), this.pace.closeMs);
    await this.sending;
    this.notBefore = 0;
    await this.send(1);
    clearTimeout(end);
    this.stop.abort();
    const left = this.waiting.splice(0).length;
    if (left > 0) this.countLost('dropped', left, 'the program ends');
    await this.collector.close();
  }

  /** Sends batches while at least `least` spans wait. One batch at a time: a failed batch stays first. */
  private send(least: number): Promise<void> {
    this.sending ??= this.sendAll(least).finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private async sendAll(least: number): Promise<void> {
    while (this.waiting.length >= least && performance.now() >= this.notBefore && !this.stop.signal.aborted) {
      const batch = this.waiting.slice(0, this.pace.batch);
      const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(this.pace.patienceMs)]);
      const body = spansBody(this.deps.resource, batch);
      this.settle(await this.collector.post(body, signal, this.deps.clock.now().getTime()), batch.length);
    }
  }

  private settle(verdict: Verdict, count: number): void {
    if (!verdict.taken && verdict.again) {
      const pause = Math.min(LONGEST_PAUSE_MS, this.pace.everyMs * 2 ** this.failures++);
      this.notBefore = performance.now() + (verdict.afterMs ?? pause);
      this.say(verdict.reason);
      return;
    }
    this.failures = 0;
    this.waiting.splice(0, count);
    const refused = verdict.taken ? Math.min(count, verdict.refused) : count;
    if (count > refused) this.counted.add({ outcome: 'sent' }, count - refused);
    if (refused > 0) this.countLost('refused', refused, verdict.reason);
  }

  private countLost(outcome: 'dropped' | 'refused', count: number, reason: string): void {
    this.counted.add({ outcome }, count);
    this.lost += count;
    this.say(reason);
  }

  private say(reason: string): void {
    const now = performance.now();
    if (now - this.saidAt < this.pace.sayMs) return;
    this.saidAt = now;
    this.deps.log.warn(
      { reason, lost: this.lost, waiting: this.waiting.length },
      'the collector does not accept spans',
    );
    this.lost = 0;
  }
}
