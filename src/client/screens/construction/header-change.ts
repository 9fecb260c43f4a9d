import { type ConstructionRow, partOf } from '#shared/construction/schema.ts';
import { longestRising } from '#shared/rules/difference.ts';

/** How the columns of the next file differ from those of the last one. */
export type HeaderChange = { readonly added: string[]; readonly gone: string[]; readonly moved: string[] };

/**
 * Returns the header change that a channel with a fixed header must be told; null if nothing changes or nothing was sent yet.
 * Names may be repeated. Rows without any source produce no columns, hence no header.
 */
export function headerChange(header: readonly string[] | null, rows: readonly ConstructionRow[]): HeaderChange | null {
  const named = rows.filter(({ exportfield }) => exportfield !== '');
  const sourced = named.some((row) => row.field.some((entry) => partOf(entry).value !== ''));
  if (header === null || !sourced) return null;
  const old = numbered(header);
  const now = numbered(named.map(({ exportfield }) => exportfield));
  const [before, after] = [new Map(old.map(({ key }, index) => [key, index])), new Set(now.map(({ key }) => key))];
  const common = now.filter(({ key }) => before.has(key));
  const unmoved = longestRising(common.map(({ key }) => before.get(key) ?? 0));
  const change = {
    added: now.filter(({ key }) => !before.has(key)).map(({ name }) => name),
    gone: old.filter(({ key }) => !after.has(key)).map(({ name }) => name),
    moved: common.filter((_, index) => !unmoved.has(index)).map(({ name }) => name),
  };
  return change.added.length + change.gone.length + change.moved.length === 0 ? null : change;
}

/** Distinguishes columns of the same name by their position among each other. */
function numbered(names: readonly string[]): { name: string; key: string }[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name, key: `${count} ${name}` };
  });
}
