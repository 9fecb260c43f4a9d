import { notFound } from '#platform/errors.ts';
import type { Explanation } from '#shared/explain/schema.ts';
import type { FileDeps } from './file.ts';
import { placeOf } from './item-values.ts';
import { absentSentence } from './sentences.ts';
import type { ExplainRequest } from './load.ts';

type Absence = { sentence: string; lastSeen: Explanation['lastSeen'] };

/**
 * Explains an item that the requested snapshot does not contain: where it was last seen before it, or that it was imported later.
 * @throws 404 if no stored snapshot contains it
 */
export async function absence(
  { duckdb, storagePaths: { store } }: FileDeps,
  question: ExplainRequest,
  signal?: AbortSignal,
): Promise<Absence> {
  const { itemId, now, live, snapshots } = question;
  const used = now.plan.snapshot;
  const holds = async ({ path }: { path: string }) =>
    (await store.has(path)) && (await placeOf(duckdb, path, itemId, signal)) !== undefined;
  const isLive = used.number === live;
  let missingSince: ExplainRequest['snapshots'][number] | undefined;
  for (const snapshot of snapshots.filter(({ number }) => number < used.number)) {
    if (await holds(snapshot)) {
      const lastSeen = { number: snapshot.number, importedAt: snapshot.createdAt.toISOString() };
      return { sentence: absentSentence(itemId, { used, last: snapshot, missingSince, live: isLive }), lastSeen };
    }
    missingSince = snapshot;
  }
  for (const snapshot of snapshots.filter(({ number }) => number > used.number)) {
    if (await holds(snapshot)) {
      return {
        sentence: absentSentence(itemId, { used, last: undefined, missingSince: undefined, live: isLive }),
        lastSeen: null,
      };
    }
  }
  throw notFound('Diesen Artikel');
}
