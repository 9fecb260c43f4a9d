import { isDiskFull, KontorError } from '#platform/errors.ts';
import { UnreadablePayload } from './job-definition.ts';
import type { JobEnd } from './job.ts';

/** How a job ends whose attempt threw what its kind has no word for. What people can understand is said; what may pass is waited for. */
export function endOfFault(error: unknown): JobEnd {
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
