import { isDiskFull, isOutOfMemory, KontorError } from '#platform/errors.ts';
import { UnreadablePayload } from './job-definition.ts';
import type { Job, JobEnd } from './job.ts';
import { endOfFailure, type Retry } from './retries.ts';

/** Runs of all companies share one memory (job-pools.ts): memory used by others is free when they have ended. */
const outOfMemory: Retry<undefined> = {
  waits: [1, 5, 15],
  failureOf: (error) =>
    isOutOfMemory(error)
      ? { message: 'Der Arbeitsspeicher des Servers reichte nicht, neben dem, was sonst noch lief.', mayPass: true }
      : undefined,
  givenUp: (attempts) =>
    `Das war auch beim ${attempts}. Versuch so; der bisherige Stand gilt weiter. Bitte wenden Sie sich an den Betreiber, der mehr davon erlauben kann (KONTOR_MEMORY).`,
};

/**
 * Returns how a job ends after an error that its kind's `retry` does not recognise. Errors that users can understand are shown;
 * temporary ones lead to a retry.
 */
export function endOfFault(error: unknown, job: Pick<Job, 'result'>): JobEnd {
  const short = endOfFailure(outOfMemory, { job, payload: undefined }, error);
  if (short !== undefined) return short;
  if (error instanceof UnreadablePayload) return { state: 'failed', message: error.message };
  if (error instanceof KontorError && error.code === 'store_away')
    return { state: 'again', seconds: error.retryAfter ?? 60, message: `${error.message} Der Lauf wartet.` };
  if (error instanceof KontorError) return { state: 'failed', message: error.message };
  return {
    state: 'failed',
    message: isDiskFull(error)
      ? 'Der Speicherplatz des Servers ist erschöpft. Der bisherige Stand gilt weiter. Bitte Speicherplatz freigeben und erneut starten.'
      : 'Der Lauf ist an einem internen Fehler gescheitert. Der bisherige Stand gilt weiter. Bitte erneut starten.',
  };
}
