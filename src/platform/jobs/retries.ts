import { z } from 'zod';
import { PlaceRefused } from '#platform/egress/address-rules.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job, JobEnd } from './job.ts';

/** A failure that users can understand. */
export type Failure = {
  readonly message: string;
  /** Whether it may pass with time. */
  readonly mayPass: boolean;
  /** Seconds for which the other side asked not to be called. */
  readonly retryAfter?: number | undefined;
};

/** How failed attempts of a kind of job are retried. */
export type Retry<P> = {
  /** Minutes until the next attempt: after the first failed one, the second … */
  readonly waits: readonly number[];
  /** Maximum number of attempts, if the last wait is repeated; by default one more than there are waits. */
  readonly attempts?: number;
  /** Converts the error; undefined: a fault of the program, which ends the job. */
  readonly failureOf: (error: unknown, payload: P) => Failure | undefined;
  /** Text added to the cause when the last attempt failed. */
  readonly givenUp: (attempts: number) => string;
  /** Number of failed attempts after which users are notified, although it is retried. */
  readonly tellAfter?: number;
};

/** Number of failed attempts so far, stored in addition to what the job itself stores between attempts. */
const StoredAttempts = z.looseObject({ tries: z.number().int().catch(0) }).catch({ tries: 0 });
const LONGEST_SECONDS = 3600;

/** Returns whether a job is retried or has failed after a failed attempt; undefined if the error is a fault of the program. */
export function endOfFailure<P>(
  { waits, attempts = waits.length + 1, failureOf, givenUp, tellAfter }: Retry<P>,
  { job, payload }: { job: Pick<Job, 'result'>; payload: P },
  error: unknown,
): JobEnd | undefined {
  const failure = failureOf(error, payload);
  if (failure === undefined) return undefined;
  const { message, mayPass, retryAfter } = failure;
  if (!mayPass) return { state: 'failed', message };
  const stored = StoredAttempts.parse(JSON.parse(job.result));
  const tries = stored.tries + 1;
  if (tries >= attempts) return { state: 'failed', message: `${message} ${givenUp(tries)}` };
  const planned = (waits[tries - 1] ?? waits.at(-1) ?? 1) * 60;
  const seconds = Math.min(LONGEST_SECONDS, Math.max(planned, retryAfter ?? 0));
  return {
    state: 'again',
    seconds,
    // When the next attempt is due is in the job's row, and may change there (clock-skew.ts).
    message,
    result: { ...stored, tries },
    failsForLong: tellAfter !== undefined && tries >= tellAfter,
  };
}

/** Returns when a job whose last attempt failed is tried again; undefined if it runs, has ended or waits for something else. */
export function nextAttempt(job: Pick<Job, 'state' | 'not_before' | 'result'>): Date | undefined {
  const waits = job.state === 'queued' && StoredAttempts.parse(JSON.parse(job.result)).tries > 0;
  return waits ? (job.not_before ?? undefined) : undefined;
}

/** Errors that may pass: no answer, or a broken-off download. An address that is not allowed stays forbidden. */
const passing: ReadonlySet<string> = new Set(['address_unreachable', 'download_cut']);

function passes({ code, retryAfter, cause }: KontorError): boolean {
  // A host name that could not be resolved has the same code as a refused address (T3); only the causes distinguish them.
  const unresolved = cause instanceof PlaceRefused && cause.cause !== undefined;
  return passing.has(code) || retryAfter !== undefined || unresolved;
}

/** A job held up only by the file store is retried: the request was right, and nobody should have to restart it. */
const mayPass = (error: KontorError, scheduled: boolean | undefined): boolean =>
  error.code === 'store_away' || (scheduled === true && passes(error));

/** Retry rule of runs: nobody watches scheduled ones, so temporary failures are retried; a user sees the failure. */
export const retryScheduled: Retry<{ scheduled?: boolean | undefined }> = {
  waits: [1, 5, 15],
  failureOf: (error, { scheduled }) =>
    error instanceof KontorError
      ? { message: error.message, mayPass: mayPass(error, scheduled), retryAfter: error.retryAfter }
      : undefined,
  givenUp: (attempts) => `Es wurde ${attempts}-mal versucht.`,
};
