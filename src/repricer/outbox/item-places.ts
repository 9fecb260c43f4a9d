import type { Submission } from './submission.ts';

/** The offer a row is about: an item of a catalogue in a marketplace. */
export type ItemOf = Pick<Submission, 'master' | 'marketplace' | 'item'>;
export const itemKey = ({ master, marketplace, item }: ItemOf) => `${master}\n${marketplace}\n${item}`;

/** Groups rows by catalogue and marketplace, each group with its first row. */
export function byPlace<T extends ItemOf>(rows: readonly T[]): [T, T[]][] {
  const groups = Map.groupBy(rows, (row) => `${row.master}\n${row.marketplace}`);
  return [...groups.values()].flatMap((list): [T, T[]][] => (list[0] === undefined ? [] : [[list[0], list]]));
}
