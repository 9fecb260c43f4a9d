import type { DocumentSubject } from '#shared/history/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import type { Foreign } from './document-state.ts';

/** Where the history keeps a document; `scope` is `master:<id>` or `export:<id>`. */
export type HistoryPlace = { subject: DocumentSubject; scope: string };

/** Milliseconds; whoever waits for it sees a form that saves. */
const timeout = 30_000;

/**
 * A document as it stands on the server now, with who saved it. `read` makes it of what was saved; undefined stands for
 * never saved. @throws CallError, or ZodError for other content
 */
export async function newestRevision<D>(
  { subject, scope }: HistoryPlace,
  read: (content: unknown) => D,
): Promise<Foreign<D>> {
  const { content, revision, author, own, createdAt } = await call(api.revision, {
    params: { subject, scope, revision: 'latest' },
    signal: AbortSignal.timeout(timeout),
  });
  return { document: read(content ?? undefined), revision, author, own, createdAt };
}
