import type { MergeChoices } from './merge-rows.ts';
import { sameValue } from './same-value.ts';

/** A field that both sides changed differently, by its path, e.g. `format.kind`. */
export type FieldConflict = { readonly path: string; readonly mine: unknown; readonly theirs: unknown };
export type FieldChange = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** Returns the fields in which two forms differ. Nested objects are compared field by field; a list counts as one field. */
export function changedFields(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (sameValue(before, after)) return [];
  if (!isFields(before) || !isFields(after)) return [{ path, before, after }];
  const [was, is] = [new Map(entriesOf(before)), new Map(entriesOf(after))];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) =>
    changedFields(was.get(key), is.get(key), path === '' ? key : `${path}.${key}`),
  );
}

/**
 * Merges two forms with a common ancestor, field by field. For a field that both changed, the chosen version is taken, or that of
 * `mine` without a choice.
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
