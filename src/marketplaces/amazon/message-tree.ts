/**
 * Readers for a marketplace's messages. Its own schemas refuse messages that its documentation allows, and the case of keys
 * differs between types of message: so keys are matched in any case, and a missing value is undefined. Nothing here throws.
 */

type Tree = { get(name: string): unknown };

/** Looks up an object's values by key, in any case; arrays and '' keys have none. */
function tree(value: unknown): Tree {
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, inner]): [string, unknown] => [key.toLowerCase(), inner])
      : [];
  const byName = new Map(entries);
  return { get: (name) => byName.get(name.toLowerCase()) };
}

export const path = (value: unknown, ...names: string[]): unknown =>
  names.reduce((inner: unknown, name) => tree(inner).get(name), value);
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** Returns an id, a name or a time as text. None of them is long, and the database stores neither NUL nor lone surrogates. */
export const text = (value: unknown): string | undefined => {
  const found = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
  return found !== undefined && found.length <= 200 && !found.includes('\0') && found.isWellFormed()
    ? found
    : undefined;
};
export const number = (value: unknown): number | null => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Math.abs(found) <= 1_000_000_000 ? found : null;
};
/** Returns the first of these values that is a valid time. */
export const moment = (...values: unknown[]): Date | undefined =>
  values.map((value) => new Date(text(value) ?? Number.NaN)).find((at) => !Number.isNaN(at.getTime()));
