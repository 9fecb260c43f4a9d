import type { MergeChoices } from './merge-rows.ts';
import { sameValue } from './same-value.ts';

/** A field that both sides changed, each in another way, by its path, e.g. `format.kind`. */
export type FieldConflict = { readonly path: string; readonly mine: unknown; readonly theirs: unknown };
export type FieldChange = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** The fields in which two forms differ. A member that is an object of fields itself is looked into, a list is one field. */
export function changedFields(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (sameValue(before, after)) return [];
  if (!isFields(before) || !isFields(after)) return [{ path, before, after }];
  const [was, is] = [new Map(entriesOf(before)), new Map(entriesOf(after))];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) =>
    changedFields(was.get(key), is.get(key), path === '' ? key : `${path}.${key}`),
  );
}

/**
 * Three-way merge of two forms that grew out of the same one, field by field. Of a field that both changed the chosen
 * version is taken, without a choice that of `mine`.
 */
export function mergeFields<F>(base: F, mine: F, theirs: F, choices: MergeChoices = 'mine') {
  const conflicts: FieldConflict[] = [];
  const merged = mergedValue({ base, mine, theirs }, choices, conflicts, '');
  return { merged, conflicts };
}

type Sides<V> = { base: V; mine: V; theirs: V };

function mergedValue<V>(
  { base, mine, theirs }: Sides<V>,
  choices: MergeChoices,
  conflicts: FieldConflict[],
  path: string,
): V {
  if (sameValue(mine, theirs) || sameValue(theirs, base)) return mine;
  if (sameValue(mine, base)) return theirs;
  if (isFields(base) && isFields(mine) && isFields(theirs))
    return mergedMembers({ base, mine, theirs }, choices, conflicts, path);
  conflicts.push({ path, mine, theirs });
  return choices !== 'mine' && choices.get(path) === 'theirs' ? theirs : mine;
}

function mergedMembers<O extends object>(
  { base, mine, theirs }: Sides<O>,
  choices: MergeChoices,
  conflicts: FieldConflict[],
  path: string,
): O {
  const merged: O = { ...theirs, ...mine };
  for (const key in merged) {
    const sides = { base: base[key], mine: mine[key], theirs: theirs[key] };
    merged[key] = mergedValue(sides, choices, conflicts, path === '' ? key : `${path}.${key}`);
  }
  return merged;
}

const isFields = <V>(value: V): value is V & object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const entriesOf = (fields: object): [string, unknown][] => Object.entries(fields);
