import { z } from 'zod';
import type { KontorError } from '#platform/errors.ts';
import type { Job, JobEnd } from './jobs.ts';

/** Minutes until the next attempt of a run that nobody watches. */
const waits = [1, 5, 15] as const;
const Retried = z.object({ retried: z.number().int() }).catch({ retried: 0 });

/** Causes that may pass: nobody answers, the answer breaks off. An address that is not allowed never becomes so. */
const passing: ReadonlySet<string> = new Set(['address_unreachable', 'download_cut']);

function mayPass({ code, retryAfter, cause }: KontorError): boolean {
  // A name that could not be resolved reads like an address that is refused (T3), and only the cause tells them apart.
  return passing.has(code) || retryAfter !== undefined || (code === 'address_refused' && cause !== undefined);
}

/**
 * How a run that a schedule started ends when it fails: what may pass is tried again after 1, 5 and 15 minutes, or later where
 * the server asked for that; what lasts has failed.
 */
export function failedOrAgain(job: Job, error: KontorError, scheduled: boolean): JobEnd {
  const { retried } = Retried.parse(JSON.parse(job.result));
  const minutes = waits[retried];
  if (!scheduled || !mayPass(error)) return { state: 'failed', message: error.message };
  if (minutes === undefined)
    return { state: 'failed', message: `${error.message} Es wurde ${waits.length + 1}-mal versucht.` };
  const seconds = Math.min(3600, Math.max(minutes * 60, error.retryAfter ?? 0));
  const wait = Math.ceil(seconds / 60);
  return {
    state: 'again',
    seconds,
    message: `${error.message} Nächster Versuch in ${wait === 1 ? 'einer Minute' : `${wait} Minuten`}.`,
    result: { retried: retried + 1 },
  };
}
