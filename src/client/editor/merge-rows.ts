import { sameValue } from './same-value.ts';

/** Anything that is kept in a list by its id: rules, rows of a table. */
export type Row = { readonly id: string };

/** Which version wins if both sides changed something. */
export type MergeChoice = 'mine' | 'theirs';
/** A choice for each conflict by its id, or 'mine' for all of them. */
export type MergeChoices = ReadonlyMap<string, MergeChoice> | 'mine';

/** A row that both sides changed differently; null: that side deleted it. */
export type RowConflict<R extends Row> = { readonly id: string; readonly mine: R | null; readonly theirs: R | null };

export type RowMerge<R extends Row> = {
  readonly rows: R[];
  /** In the order of `rows`; rows that the choices leave out come last. */
  readonly conflicts: RowConflict<R>[];
  /** Both sides sorted the rows differently; the order of `mine` is then taken. */
  readonly orderConflict: boolean;
};

/**
 * Merges two lists with a common ancestor, row by row: whatever only one side changed, added, deleted or sorted is taken over.
 * For a row that both changed, the chosen version is taken; without a choice that of `mine`, or the surviving one if the other
 * side deleted it, so that nothing is lost. Ids are unique within each list.
 */
export function mergeRows<R extends Row>(
  base: readonly R[],
  mine: readonly R[],
  theirs: readonly R[],
  choices: MergeChoices = new Map(),
): RowMerge<R> {
  const [was, my, their] = [byId(base), byId(mine), byId(theirs)];
  const merged = new Map<string, R>();
  const conflicts = new Map<string, RowConflict<R>>();
  for (const id of new Set([...my.keys(), ...their.keys(), ...was.keys()])) {
    const sides = { mine: my.get(id) ?? null, theirs: their.get(id) ?? null };
    let row = onlyChange(was.get(id) ?? null, sides);
    if (row === undefined) {
      conflicts.set(id, { id, ...sides });
      const choice = choices === 'mine' ? choices : choices.get(id);
      row = choice === undefined ? (sides.mine ?? sides.theirs) : sides[choice];
    }
    if (row !== null) merged.set(id, row);
  }
  const order = mergedOrder({ base, mine, theirs }, merged);
  const rows = order.ids.flatMap((id) => merged.get(id) ?? []);
  return { rows, conflicts: inOrder(conflicts, order.ids), orderConflict: order.conflict };
}

/** Returns the merged version if at most one side changed the row; null if it is deleted, undefined if both changed it. */
function onlyChange<R extends Row>(was: R | null, { mine, theirs }: Omit<RowConflict<R>, 'id'>): R | null | undefined {
  if (sameValue(mine, theirs) || sameValue(theirs, was)) return mine;
  return sameValue(mine, was) ? theirs : undefined;
}

type Lists = { base: readonly Row[]; mine: readonly Row[]; theirs: readonly Row[] };

/** Returns the order of the side that sorted. Rows that only the other side has come after the row that they follow there. */
function mergedOrder({ base, mine, theirs }: Lists, merged: ReadonlyMap<string, Row>) {
  const common = inAll(base, mine, theirs);
  const [old, my, their] = [base, mine, theirs].map((list) =>
    idsOf(list)
      .filter((id) => common.has(id))
      .join('\n'),
  );
  const [frame, other] = my === old && their !== old ? [theirs, mine] : [mine, theirs];
  const framed = idsOf(frame).filter((id) => merged.has(id));
  const placed = new Set(framed);
  /** The rows that follow each id of the frame; '' is the beginning of the list. */
  const followers = new Map<string, string[]>();
  let before = '';
  for (const id of idsOf(other)) {
    if (placed.has(id)) before = id;
    else if (merged.has(id)) {
      const group = followers.get(before);
      if (group === undefined) followers.set(before, [id]);
      else group.push(id);
    }
  }
  const ids = ['', ...framed].flatMap((id) => [...(id === '' ? [] : [id]), ...(followers.get(id) ?? [])]);
  return { ids, conflict: my !== old && their !== old && my !== their };
}

function inAll(...lists: (readonly Row[])[]): Set<string> {
  const [first = [], ...others] = lists.map((list) => new Set(idsOf(list)));
  return new Set([...first].filter((id) => others.every((ids) => ids.has(id))));
}

function inOrder<R extends Row>(
  conflicts: ReadonlyMap<string, RowConflict<R>>,
  ids: readonly string[],
): RowConflict<R>[] {
  const sorted = [...ids, ...conflicts.keys()].flatMap((id) => conflicts.get(id) ?? []);
  return [...new Set(sorted)];
}

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);
const byId = <R extends Row>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]));
