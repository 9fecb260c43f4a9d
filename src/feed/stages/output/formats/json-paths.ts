import type { OutputColumn } from '#feed/stages/output/cells.ts';

/** The content of a member of the file: columns (several with one name form a list), or members of its own. */
export type JsonTree =
  | { readonly kind: 'value'; readonly columns: OutputColumn[] }
  | { readonly kind: 'object'; readonly members: Map<string, JsonTree> }
  | { readonly kind: 'list'; readonly members: Map<number, JsonTree> };
type Branch = Exclude<JsonTree, { kind: 'value' }>;

/** The object for an item; `refused` are names that look like paths but are invalid, or contradict an earlier one. */
export type JsonShape = { readonly root: Branch; readonly refused: readonly string[] };

/**
 * Arranges the columns as members of an object. `nested`: `a.b` and `a[0].b` are paths. A column that cannot be placed is written
 * under its whole name.
 */
export function jsonShape(columns: readonly OutputColumn[], nested: boolean): JsonShape {
  const root: Branch = { kind: 'object', members: new Map() };
  const refused: string[] = [];
  for (const column of columns) {
    const path = nested ? pathOf(column.name) : [column.name];
    if (path && place(root, path, column)) continue;
    refused.push(column.name);
    place(root, [column.name], column);
  }
  return { root, refused };
}

const segment = /^([^.[\]\s](?:[^.[\]]*[^.[\]\s])?)((?:\[\d{1,4}\])*)$/u;

/** Parses `a.b[0]` to ['a', 'b', 0]; undefined if it is no path. */
function pathOf(name: string): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  for (const part of name.split('.')) {
    const [, key, indexes = ''] = segment.exec(part) ?? [];
    if (key === undefined) return undefined;
    path.push(
      key,
      ...indexes
        .split('[')
        .slice(1)
        .map((text) => Number.parseInt(text, 10)),
    );
  }
  return path;
}

function member(branch: Branch, step: string | number): JsonTree | undefined {
  return branch.kind === 'object' ? branch.members.get(String(step)) : branch.members.get(Number(step));
}

function setMember(branch: Branch, step: string | number, tree: JsonTree): void {
  if (branch.kind === 'object') branch.members.set(String(step), tree);
  else branch.members.set(Number(step), tree);
}

/** Adds the column at the path. Returns false and changes nothing if the path leads to something else. */
function place(root: Branch, path: readonly (string | number)[], column: OutputColumn): boolean {
  let branch = root;
  for (const [index, step] of path.entries()) {
    if ((typeof step === 'string') !== (branch.kind === 'object')) return false;
    const found = member(branch, step);
    const next = path[index + 1];
    if (next === undefined) {
      if (found?.kind === 'value') found.columns.push(column);
      else if (found) return false;
      else setMember(branch, step, { kind: 'value', columns: [column] });
      return true;
    }
    if (found?.kind === 'value') return false;
    const kind = typeof next === 'string' ? 'object' : 'list';
    if (found && found.kind !== kind) return false;
    const deeper: Branch = found ?? (kind === 'object' ? { kind, members: new Map() } : { kind, members: new Map() });
    if (!found) setMember(branch, step, deeper);
    branch = deeper;
  }
  return false;
}
