import { z } from 'zod';
import { saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';

/** What somebody decided about a state, against what the program would have done: kept with name, time and reason. */
export const Release = z.object({ what: z.string(), reason: z.string() });
export type Release = z.infer<typeof Release>;

/** Records who let a state count and why; each is a revision of its own. */
export async function recordRelease(
  trx: Trx,
  place: { company: string; scope: string },
  release: Release,
  author: string,
): Promise<void> {
  const { company, scope } = place;
  await saveDocument(
    trx,
    { company, subject: 'releases', scope },
    { body: JSON.stringify(release), author, expected: undefined },
  );
}
