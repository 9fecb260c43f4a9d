/** Whether two plain values (as JSON holds them) are alike; the order of members and members that are undefined do not count. */
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
