import type { DocumentSubject } from '#shared/history/schema.ts';
import { subjectHistories } from './subjects.ts';

/** What one state has that the other has not, in German sentences, and parts that can be brought back alone. */
export type Comparison = { changes: string[]; removed: { id: string; name: string }[] };

export function comparison(subject: DocumentSubject, before: string | undefined, after: string): Comparison {
  const history = subjectHistories[subject];
  return { changes: history.changes(before, after), removed: history.removed(before, after) };
}
