import { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { ConcurrencyLimiter } from '#platform/http/questions/concurrency-limiter.ts';
import type { Principal } from '#platform/http/server.ts';
import { runInThread } from '#platform/run-in-thread.ts';
import type { DocumentSubject } from '#shared/history/schema.ts';
import { countText } from '#shared/values/integer-text.ts';
import { comparison, type Comparison } from './comparison.ts';

/** Bytes of both states together. Comparing larger ones on the main thread would block all other requests. */
export const LARGE = 200_000;
/** The most sentences of a comparison; no one reads more. */
const MOST_SENTENCES = 1000;

const slots = new ConcurrencyLimiter({ atOnce: 2, perCompany: 1, perUser: 1, waiting: 5, waitingPerUser: 3 });
const Answer = z.object({
  changes: z.array(z.string()),
  removed: z.array(z.object({ id: z.string(), name: z.string() })),
  same: z.boolean(),
});

type States = { subject: DocumentSubject; before: string | undefined; after: string };

/** Compares two states. Large ones run on a thread of their own, which is ended when the request is aborted. */
export async function compare(states: States, principal: Principal, signal: AbortSignal): Promise<Comparison> {
  const { subject, before, after } = states;
  const size = Buffer.byteLength(after) + Buffer.byteLength(before ?? '');
  const whole =
    size <= LARGE
      ? comparison(subject, before, after)
      : await slots.run(principal, signal, () => apart(states, signal));
  const rest = whole.changes.length - MOST_SENTENCES;
  return rest <= 0
    ? whole
    : {
        ...whole,
        changes: [
          ...whole.changes.slice(0, MOST_SENTENCES),
          `Und ${countText(rest, 'weitere Änderung', 'weitere Änderungen')}.`,
        ],
      };
}

const apart = async (states: States, signal: AbortSignal): Promise<Comparison> =>
  Answer.parse(await runInThread(new URL('./compare-worker.ts', import.meta.url), states, { signal, tooLarge }));

const tooLarge = (cause: unknown) =>
  new KontorError(
    422,
    'comparison_too_large',
    'Die beiden Stände sind zu groß, um sie hier zu vergleichen. Beide sind gespeichert und lassen sich weiterhin wiederherstellen.',
    { cause },
  );
