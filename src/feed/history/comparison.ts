import type { DocumentSubject } from '#shared/history/schema.ts';
import { subjectHistories } from './subjects.ts';

/** The differences between two states as German sentences, and the removed parts that can be restored separately. */
export type Comparison = { changes: string[]; removed: { id: string; name: string }[] };

export function comparison(subject: DocumentSubject, before: string | undefined, after: string): Comparison {
  const history = subjectHistories[subject];
  return { changes: history.changes(before, after), removed: history.removed(before, after) };
}
