import { z } from 'zod';
import { PlaceRefused } from '#platform/egress/address-rules.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job, JobEnd } from './job.ts';

/** A failure that people can understand. */
export type Failure = {
  readonly message: string;
  /** Whether it may pass by waiting. */
  readonly mayPass: boolean;
  /** Seconds that the other side asked to be left alone for. */
  readonly retryAfter?: number | undefined;
};

/** What happens to a kind of job whose attempt failed. */
export type Retry<P> = {
  /** Minutes until the next attempt, after the first failed one, the second … */
  readonly waits: readonly number[];
  /** Attempts in all, if the last wait is repeated; by default one more than there are waits. */
  readonly attempts?: number;
  /** Reads what was thrown; undefined: a fault of the program, which ends the job. */
  readonly failureOf: (error: unknown, payload: P) => Failure | undefined;
  /** Added to the cause when the last attempt failed. */
  readonly givenUp: (attempts: number) => string;
  /** After so many failed attempts people are told, though it is tried again. */
  readonly tellAfter?: number;
};

/** The failed attempts so far, stored beside what the job itself stores between its attempts. */
const StoredAttempts = z.looseObject({ tries: z.number().int().catch(0) }).catch({ tries: 0 });
const LONGEST_SECONDS = 3600;

/** How a job goes on after a failed attempt: it is tried again later, or it has failed; undefined if the error is a fault of the program. */
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
  const minutes = Math.ceil(seconds / 60);
  return {
    state: 'again',
    seconds,
    message: `${message} Nächster Versuch in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`}.`,
    result: { ...stored, tries },
    failsForLong: tellAfter !== undefined && tries >= tellAfter,
  };
}

/** Causes that may pass: nobody answers, the answer breaks off. An address that is not allowed never becomes so. */
const passing: ReadonlySet<string> = new Set(['address_unreachable', 'download_cut']);

function passes({ code, retryAfter, cause }: KontorError): boolean {
  // A name that could not be resolved reads like an address that is refused (T3), and only the causes tell them apart.
  const unresolved = cause instanceof PlaceRefused && cause.cause !== undefined;
  return passing.has(code) || retryAfter !== undefined || unresolved;
}

/** Nobody has to start anew what only the store of files held up: that is no fault of what was asked. */
const mayPass = (error: KontorError, scheduled: boolean | undefined): boolean =>
  error.code === 'store_away' || (scheduled === true && passes(error));

/** For runs that a person or a schedule starts: nobody watches the latter, so what may pass is tried again; the person sees it fail. */
export const retryScheduled: Retry<{ scheduled?: boolean | undefined }> = {
  waits: [1, 5, 15],
  failureOf: (error, { scheduled }) =>
    error instanceof KontorError
      ? { message: error.message, mayPass: mayPass(error, scheduled), retryAfter: error.retryAfter }
      : undefined,
  givenUp: (attempts) => `Es wurde ${attempts}-mal versucht.`,
};
