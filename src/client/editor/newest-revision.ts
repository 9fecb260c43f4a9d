import type { DocumentSubject } from '#shared/history/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import type { Foreign } from './document-state.ts';

/** Key of a document in the history; `scope` is `master:<id>` or `export:<id>`. */
export type HistoryPlace = { subject: DocumentSubject; scope: string };

/** Milliseconds; while this request runs, the user sees a form that is saving. */
const timeout = 30_000;

/**
 * Returns a document as the server holds it now, and who saved it. `read` parses the stored content; undefined means never saved.
 * @throws CallError, or ZodError for unexpected content
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
