import { changedFields, mergeFields } from './merge-fields.ts';
import { type MergeChoice, type MergeChoices, mergeRows, type Row } from './merge-rows.ts';
import { sameValue } from './same-value.ts';

/** Something that both sides changed, in words for the dialog. */
export type Conflict = {
  readonly id: string;
  readonly name: string;
  readonly mine: string;
  readonly theirs: string;
  /** What is taken unless somebody chooses. */
  readonly standard: MergeChoice;
};
export type Merge<D> = { readonly merged: D; readonly conflicts: readonly Conflict[]; readonly orderConflict: boolean };

/** What an editor knows of its documents: how two states are compared, put into words and brought together. */
export type DocumentShape<D> = {
  /** How many things differ; 0 exactly if the states are alike. */
  readonly countChanges: (before: D, after: D) => number;
  /** What changed, in German sentences. */
  readonly sentences: (before: D, after: D) => readonly string[];
  readonly merge: (base: D, mine: D, theirs: D, choices?: MergeChoices) => Merge<D>;
  /** The one text that differs, as a place that stays while somebody types there; undefined: another kind of edit. */
  readonly typedPlace: (before: D, after: D) => string | undefined;
  /** Restores what a step or a choice must not remove from a draft because only the server deletes it. */
  readonly keepStored?: (draft: D, stored: D) => D;
  /** Removes from a state what undo must not bring back once it is saved: passwords. */
  readonly withoutSecrets?: (state: D) => D;
};

type RowsShape<R extends Row> = {
  sentences: (before: readonly R[], after: readonly R[]) => readonly string[];
  /** What people call a row. */
  name: (row: R) => string;
  /** One version of it in few words. */
  version: (row: R) => string;
  /** The text that differs between two states of one row. */
  typedPlace: (before: R, after: R) => string | undefined;
};

/** Documents that are lists of rows with ids: they are merged row by row. */
export function rowsShape<R extends Row>({
  sentences,
  name,
  version,
  typedPlace,
}: RowsShape<R>): DocumentShape<readonly R[]> {
  const versionOf = (row: R | null) => (row === null ? 'gelöscht' : version(row));
  return {
    countChanges: countRowChanges,
    sentences,
    merge: (base, mine, theirs, choices) => {
      const { rows, conflicts, orderConflict } = mergeRows(base, mine, theirs, choices);
      const described = conflicts.map((conflict): Conflict => {
        const version = conflict.mine ?? conflict.theirs;
        return {
          id: conflict.id,
          name: version === null ? '' : name(version),
          mine: versionOf(conflict.mine),
          theirs: versionOf(conflict.theirs),
          standard: conflict.mine === null ? 'theirs' : 'mine',
        };
      });
      return { merged: rows, conflicts: described, orderConflict };
    },
    typedPlace: (before, after) => typedRow(before, after, typedPlace),
  };
}

/** The row in which alone two lists differ, with the place that somebody types at in it. */
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

/** How many rows are new, gone or changed; another order counts as one. */
export function countRowChanges<R extends Row>(before: readonly R[], after: readonly R[]): number {
  if (before === after) return 0;
  // The same rows at the same places, as while somebody types in one of twenty thousand.
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
  /** The label of each field by its path; those of a member that is an object of fields read `format.kind`. */
  labels: Readonly<Record<string, string>>;
  /** A value as people read it, where it is more than a text, a number, a switch or a list of them. */
  words?: (path: string, value: unknown) => string | undefined;
  withoutSecrets?: (state: D) => D;
};

/** Documents that are forms: they are merged field by field. */
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
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  if (Array.isArray(value)) return value.length === 0 ? 'leer' : value.map(String).join(', ');
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value ?? '');
  return text.trim() === '' ? 'leer' : `„${text}“`;
}
