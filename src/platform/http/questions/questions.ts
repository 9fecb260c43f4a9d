import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type Counter, type Durations, type Metrics, noMetrics, timed } from '#platform/telemetry/metrics.ts';
import { withClientSignal } from '#platform/db/client-signal.ts';
import { inSpan, type SpanStart } from '#platform/telemetry/spans.ts';
import type { QuestionKind } from '#shared/http/call.ts';
import { isStatementCancelled, KontorError, isOutOfMemory } from '#platform/errors.ts';
import { type ConcurrencyLimits, ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { Principal } from '#platform/http/server.ts';

/** Limits of one kind of question (a request with expensive reading): how many run at a time, and each one's time in ms. */
export type QuestionLimits = ConcurrencyLimits & { readonly mostMs: number };

/** No company can take all turns. Catalogue questions leave threads of Node's pool (files, DNS) for the remaining program. */
export const defaultQuestionLimits: Readonly<Record<QuestionKind, QuestionLimits>> = {
  catalogue: { atOnce: 3, perCompany: 2, perUser: 2, waiting: 20, waitingPerUser: 12, mostMs: 60_000 },
  // The database itself ends a statement after 30 s.
  records: { atOnce: 4, perCompany: 2, perUser: 2, waiting: 40, waitingPerUser: 20, mostMs: 30_000 },
  // A download takes as long as the client's connection needs, but waiting for the client occupies no thread.
  file: { atOnce: 8, perCompany: 3, perUser: 2, waiting: 10, waitingPerUser: 5, mostMs: 15 * 60_000 },
};

/**
 * How long a question that was too large keeps its turn, in ms: nothing was computed, but megabytes were read, and a client that
 * repeats it again and again would block the program for everybody else.
 */
const REFUSED_MS = 300;

const questionSpan = (kind: QuestionKind): SpanStart => ({
  name: `question ${kind}`,
  kind: 'internal',
  attributes: { 'kontor.question.kind': kind },
});
const questionSpans: Readonly<Record<QuestionKind, SpanStart>> = {
  catalogue: questionSpan('catalogue'),
  records: questionSpan('records'),
  file: questionSpan('file'),
};

/** A granted turn; `end` may be called twice. `inUse`: work has begun, and the turn ends with it even if the client leaves. */
export type Slot = { readonly kind: QuestionKind; readonly end: () => void; inUse: boolean };
type Caller = { readonly principal: Principal; readonly signal: AbortSignal };
type Lane = { readonly turns: ConcurrencyLimiter; readonly mostMs: number };

/** Limits how much is read and computed at a time for users who wait for the response. */
export class Questions {
  private readonly lanes: Readonly<Record<QuestionKind, Lane>>;
  private readonly seconds: Durations<'kind' | 'outcome'>;
  private readonly refused: Counter<'kind'>;
  private readonly waits: Durations<'kind'>;

  constructor(catalogue: QuestionLimits = defaultQuestionLimits.catalogue, metrics: Metrics = noMetrics) {
    const lane = (limits: QuestionLimits): Lane => ({ turns: new ConcurrencyLimiter(limits), mostMs: limits.mostMs });
    this.lanes = {
      catalogue: lane(catalogue),
      records: lane(defaultQuestionLimits.records),
      file: lane(defaultQuestionLimits.file),
    };
    this.seconds = metrics.durations(
      'kontor_question_seconds',
      'How long queries on catalogues and records were computed.',
      ['kind', 'outcome'],
    );
    this.waits = metrics.durations('kontor_question_wait_seconds', 'How long queries waited before they started.', [
      'kind',
    ]);
    this.refused = metrics.counter('kontor_questions_refused_total', 'Queries refused because too many were waiting.', [
      'kind',
    ]);
    const turns = Object.values(this.lanes).map((one) => one.turns);
    const sum = (of: (turns: ConcurrencyLimiter) => number) => () => turns.reduce((all, one) => all + of(one), 0);
    metrics.reading(
      'kontor_questions_running',
      'Running queries.',
      sum(({ load }) => load.running),
    );
    metrics.reading(
      'kontor_questions_waiting',
      'Waiting queries.',
      sum(({ load }) => load.waiting),
    );
  }

  /** Waits for a turn. A large body is parsed only then, since parsing blocks all requests. @throws 429 where too many wait */
  async take(kind: QuestionKind, { principal, signal }: Caller): Promise<Slot> {
    const began = performance.now();
    const end = await this.lanes[kind].turns.take(principal, signal).catch((error: unknown) => {
      if (error instanceof KontorError) this.refused.add({ kind });
      throw error;
    });
    this.waits.observe({ kind }, (performance.now() - began) / 1000);
    let ended = false;
    return {
      kind,
      inUse: false,
      end: () => {
        if (!ended) end();
        ended = true;
      },
    };
  }

  /**
   * Runs `work` in its turn. A stream that it returns keeps the turn until it has ended.
   * @throws 422 in German for work that takes too long or too much memory; the signal's reason when the client has disconnected
   */
  async ask<T>(slot: Slot, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { kind, end } = slot;
    slot.inUse = true;
    const { mostMs } = this.lanes[kind];
    const timeout = AbortSignal.timeout(mostMs);
    const ended = AbortSignal.any([signal, timeout]);
    let streams = false;
    try {
      const answer = await timed(
        () => inSpan(questionSpans[kind], () => withClientSignal(ended, () => work(ended))),
        (seconds, error) => {
          const outcome =
            error === undefined ? 'done' : timeout.aborted ? 'too_long' : signal.aborted ? 'gone' : 'failed';
          this.seconds.observe({ kind, outcome }, seconds);
        },
      );
      if (answer instanceof Readable) {
        streams = true;
        endWithStream(answer, ended, end);
      }
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted || isStatementCancelled(error)) throw tooMuch('question_too_long', 'dauert zu lange', error);
      if (error instanceof KontorError && error.code === 'question_too_large') await stay(signal);
      if (isOutOfMemory(error)) throw tooMuch('question_too_large', 'braucht zu viel Arbeitsspeicher', error);
      throw error;
    } finally {
      if (!streams) end();
    }
  }
}

/** Waits REFUSED_MS. @throws the signal's reason when the client disconnects meanwhile */
async function stay(signal: AbortSignal): Promise<void> {
  await wait(REFUSED_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function endWithStream(stream: Readable, ended: AbortSignal, end: () => void): void {
  if (stream.destroyed) return end();
  const stop = () => stream.destroy();
  if (ended.aborted) stop();
  else ended.addEventListener('abort', stop, { once: true });
  stream.once('close', () => {
    ended.removeEventListener('abort', stop);
    end();
  });
}

const tooMuch = (code: string, words: string, cause: unknown) =>
  new KontorError(
    422,
    code,
    `Die Berechnung ${words} und wurde beendet; gespeichert ist alles wie bisher. Bitte grenzen Sie ein, was gefragt wird: bestimmte Felder statt aller, weniger Bedingungen, einen kürzeren Zeitraum oder weniger Zeilen auf einmal.`,
    { cause },
  );
