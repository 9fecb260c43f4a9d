/** Tells whether two plain JSON values are equal; the order of members does not count, nor do members that are undefined. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => sameValue(value, other[index]))
    );
  }
  const [mine, theirs] = [
    new Map<string, unknown>(Object.entries(one)),
    new Map<string, unknown>(Object.entries(other)),
  ];
  return [...new Set([...mine.keys(), ...theirs.keys()])].every((key) => sameValue(mine.get(key), theirs.get(key)));
}
