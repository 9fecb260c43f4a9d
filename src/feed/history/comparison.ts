import type { DocumentSubject } from '#shared/history/schema.ts';
import { subjectHistories } from './subjects.ts';

/**
 * The differences between two states as German sentences, and the removed parts that can be restored separately. `same`: without
 * a sentence, whether the states really have the same content.
 */
export type Comparison = { changes: string[]; removed: { id: string; name: string }[]; same: boolean };

export function comparison(subject: DocumentSubject, before: string | undefined, after: string): Comparison {
  const history = subjectHistories[subject];
  const changes = history.changes(before, after);
  const same = changes.length === 0 && history.same(before, after);
  return { changes, removed: history.removed(before, after), same };
}

/** The sentences for a save; there is always at least one. */
export const saveSentences = ({ changes, same }: Pick<Comparison, 'changes' | 'same'>): string[] =>
  changes.length > 0 ? changes : [same ? 'Ohne Änderung gespeichert.' : WITHOUT_WORDS];

const WITHOUT_WORDS =
  'Anders gespeichert als der Stand davor, bedeutet aber, soweit es sich in Worten sagen lässt, dasselbe.';
