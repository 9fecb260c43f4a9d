import { z } from 'zod';
import { saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { HeldBack } from '#shared/difference/schema.ts';

/** A user's decision on a snapshot or file that the program held back; stored with name, time and reason. */
export const Release = z.object({ what: z.string(), reason: z.string() });
export type Release = z.infer<typeof Release>;

/** Records who released a state and why; each release is a revision of its own. */
export async function recordRelease(
  trx: Trx,
  ref: { company: string; scope: string },
  release: Release,
  author: string,
): Promise<void> {
  const { company, scope } = ref;
  await saveDocument(
    trx,
    { company, subject: 'releases', scope },
    { body: JSON.stringify(release), author, expected: undefined },
  );
}

/** Returns how a file was held back, from the state of the run that made it; a run without a record ended successfully. */
export function heldBy(state: string | null): HeldBack {
  if (state === 'blocked') return 'waiting';
  return state === 'cancelled' ? 'discarded' : null;
}

/**
 * @throws 409 if the run's result was held back and not released: only a release, which shows the anomalies, may put it into
 * effect
 */
export async function requireReleased(trx: Trx, company: string, runid: string): Promise<void> {
  const run = await trx
    .selectFrom('jobs')
    .select('state')
    .where((eb) => eb.and({ company, id: runid }))
    .executeTakeFirst();
  const held = heldBy(run?.state ?? null);
  if (held === 'waiting')
    throw new KontorError(
      409,
      'waits_for_release',
      'Dieser Stand wurde angehalten und wartet auf Freigabe. In Kraft tritt er nur über „Trotzdem freigeben“.',
    );
  if (held === 'discarded')
    throw new KontorError(
      409,
      'discarded',
      'Dieser Stand wurde angehalten und verworfen. Er war nie in Kraft und lässt sich nicht wieder in Kraft setzen.',
    );
}
