/**
 * Messages of a marketplace, read by name. Its own schemas refuse messages that its documentation allows, and the case of keys differs
 * from one type to the next: so everything is read by name whatever the case, and what is missing is missing. Nothing here throws.
 */

type Tree = { get(name: string): unknown };

/** An object read by names whatever their case; '' keys and arrays have none. */
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
/** Ids, names, times: nothing of them is long; NUL and halves of characters can be stored nowhere. */
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
/** The first of these that is a moment. */
export const moment = (...values: unknown[]): Date | undefined =>
  values.map((value) => new Date(text(value) ?? Number.NaN)).find((at) => !Number.isNaN(at.getTime()));
