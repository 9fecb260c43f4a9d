import { integerText } from '#shared/values/integer-text.ts';
/**
 * Describes in German how a file's header differs from the one that the channel knows; undefined if it does not differ or none is
 * known. A column in the position of a removed one is reported as renamed.
 */
export function headerChange(before: readonly string[] | undefined, after: readonly string[]): string | undefined {
  if (before === undefined || (before.length === after.length && before.every((name, index) => name === after[index])))
    return undefined;
  const renamed = before.flatMap((name, index) => {
    const now = after[index];
    return now !== undefined && !after.includes(name) && !before.includes(now) ? [{ name, now }] : [];
  });
  const removed = less(before, [...after, ...renamed.map(({ name }) => name)]);
  const added = less(after, [...before, ...renamed.map(({ now }) => now)]);
  const stayed = less(before, [...removed, ...renamed.map(({ name }) => name)]);
  const moved = less(after, [...added, ...renamed.map(({ now }) => now)]).filter(
    (name, index) => stayed[index] !== name,
  );
  const parts = [
    ...(renamed.length > 0 ? [`umbenannt: ${renamed.map(({ name, now }) => `„${name}“ in „${now}“`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`weggefallen: ${quoted(removed)}`] : []),
    ...(added.length > 0 ? [`neu: ${quoted(added)}`] : []),
    ...(moved.length > 0 ? [`an anderer Stelle: ${quoted(moved)}`] : []),
  ];
  return `Der Spaltenkopf ist anders als in der letzten Datei (${parts.join('; ')}).`;
}

/** The names that one list contains more often than the other. */
function less(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((name) => {
    const index = rest.indexOf(name);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

const MOST = 12;
function quoted(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST)
    .map((name) => `„${name}“`)
    .join(', ');
  return names.length > MOST ? `${shown} und ${integerText(names.length - MOST)} weitere` : shown;
}
