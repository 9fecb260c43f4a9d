import { changedFields, mergeFields } from './merge-fields.ts';
import { type MergeChoice, type MergeChoices, mergeRows, type Row } from './merge-rows.ts';
import { sameValue } from './same-value.ts';

/** Something that both sides changed, in words for the dialog. */
export type Conflict = {
  readonly id: string;
  readonly name: string;
  readonly mine: string;
  readonly theirs: string;
  /** The version taken unless the user chooses. */
  readonly standard: MergeChoice;
};
export type Merge<D> = { readonly merged: D; readonly conflicts: readonly Conflict[]; readonly orderConflict: boolean };

/** What an editor must know about its kind of document: how to compare, describe and merge two states. */
export type DocumentShape<D> = {
  /** Number of differences that a save of the draft would store; what is saved apart from it does not count. */
  readonly countChanges: (before: D, after: D) => number;
  /** What changed, in German sentences. */
  readonly sentences: (before: D, after: D) => readonly string[];
  readonly merge: (base: D, mine: D, theirs: D, choices?: MergeChoices) => Merge<D>;
  /**
   * Identifies the one text that differs, and stays the same while the user types in it; undefined for any other kind of edit.
   */
  readonly typedPlace: (before: D, after: D) => string | undefined;
  /** Restores what a step back or a merge choice must not remove from a draft, because only the server deletes it. */
  readonly keepStored?: (draft: D, stored: D) => D;
  /** Removes passwords from a state, so that undo does not bring them back after a save. */
  readonly withoutSecrets?: (state: D) => D;
};

/** Whether two stored states are equal, also in what is saved apart from the draft: deletions and order in some documents. */
export const sameDocument = <D>({ countChanges, sentences }: DocumentShape<D>, one: D, other: D): boolean =>
  countChanges(one, other) === 0 && sentences(one, other).length === 0;

type RowsShape<R extends Row> = {
  sentences: (before: readonly R[], after: readonly R[]) => readonly string[];
  /** Name of a row as users read it. */
  name: (row: R) => string;
  /** One version of a row in few words, told apart from the other version; null: that side deleted the row. */
  version: (row: R, other: R | null) => string;
  /** Identifies the one text that differs between two states of a row. */
  typedPlace: (before: R, after: R) => string | undefined;
};

/** Returns the shape of documents that are lists of rows with ids: they are merged row by row. */
export function rowsShape<R extends Row>({
  sentences,
  name,
  version,
  typedPlace,
}: RowsShape<R>): DocumentShape<readonly R[]> {
  const versionOf = (row: R | null, other: R | null) => (row === null ? 'gelöscht' : version(row, other));
  return {
    countChanges: countRowChanges,
    sentences,
    merge: (base, mine, theirs, choices) => {
      const { rows, conflicts, orderConflict } = mergeRows(base, mine, theirs, choices);
      const described = conflicts.map((conflict): Conflict => {
        const { id, mine: my, theirs: their } = conflict;
        const version = my ?? their;
        return {
          id,
          name: version === null ? '' : name(version),
          mine: versionOf(my, their),
          theirs: versionOf(their, my),
          standard: my === null ? 'theirs' : 'mine',
        };
      });
      return { merged: rows, conflicts: described, orderConflict };
    },
    typedPlace: (before, after) => typedRow(before, after, typedPlace),
  };
}

/** Returns the only row in which two lists differ, with the text that is being typed in it. */
function typedRow<R extends Row>(
  before: readonly R[],
  after: readonly R[],
  typedPlace: (old: R, row: R) => string | undefined,
): string | undefined {
  if (before.length !== after.length) return undefined;
  const first = after.findIndex((row, index) => row !== before[index]);
  const last = after.findLastIndex((row, index) => row !== before[index]);
  const [old, only] = [before[first], after[first]];
  if (first !== last || old === undefined || only === undefined || old.id !== only.id) return undefined;
  const place = typedPlace(old, only);
  return place === undefined ? undefined : `${only.id}.${place}`;
}

/** Counts rows that are new, deleted or changed; a changed order counts as one. */
export function countRowChanges<R extends Row>(before: readonly R[], after: readonly R[]): number {
  if (before === after) return 0;
  // Fast path: the same rows in the same places, as while typing in one of twenty thousand.
  if (before.length === after.length && before.every(({ id }, index) => id === after[index]?.id))
    return after.filter((row, index) => !sameValue(before[index], row)).length;
  const previous = new Map(before.map((row) => [row.id, row]));
  const is = new Set(after.map(({ id }) => id));
  const changed = after.filter((row) => !sameValue(previous.get(row.id), row)).length;
  const removed = before.filter(({ id }) => !is.has(id)).length;
  const common = (list: readonly R[]) => list.map(({ id }) => id).filter((id) => previous.has(id) && is.has(id));
  return changed + removed + (common(before).join('\n') === common(after).join('\n') ? 0 : 1);
}

type FieldsShape<D> = {
  /** The label of each field by its path; nested fields have dotted paths, e.g. `format.kind`. */
  labels: Readonly<Record<string, string>>;
  /** A value in words, if it is more than a text, a number, a switch or a list of them. */
  words?: (path: string, value: unknown) => string | undefined;
  withoutSecrets?: (state: D) => D;
};

/** Returns the shape of documents that are forms: they are merged field by field. */
export function fieldsShape<D>({ labels, words, withoutSecrets }: FieldsShape<D>): DocumentShape<D> {
  const labelOf = (path: string) => labels[path] ?? path;
  const wordsOf = (path: string, value: unknown) => words?.(path, value) ?? plainWords(value);
  return {
    countChanges: (before, after) => changedFields(before, after).length,
    sentences: (before, after) =>
      changedFields(before, after).map(
        ({ path, before: from, after: to }) =>
          `${labelOf(path)}: vorher ${wordsOf(path, from)}, jetzt ${wordsOf(path, to)}.`,
      ),
    merge: (base, mine, theirs, choices) => {
      const { merged, conflicts } = mergeFields(base, mine, theirs, choices);
      const described = conflicts.map((conflict): Conflict => ({
        id: conflict.path,
        name: labelOf(conflict.path),
        mine: wordsOf(conflict.path, conflict.mine),
        theirs: wordsOf(conflict.path, conflict.theirs),
        standard: 'mine',
      }));
      return { merged, conflicts: described, orderConflict: false };
    },
    typedPlace: (before, after) => {
      const [only, ...more] = changedFields(before, after);
      return more.length === 0 && typeof only?.before === 'string' ? only.path : undefined;
    },
    ...(withoutSecrets === undefined ? {} : { withoutSecrets }),
  };
}

function plainWords(value: unknown): string {
  if (value === undefined || value === null) return 'leer';
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  if (Array.isArray(value)) return value.length === 0 ? 'leer' : value.map(String).join(', ');
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.trim() === '' ? 'leer' : `„${text}“`;
}
