/** A drawn row, and the number of undrawn rows before it. */
export type DrawnRow = { readonly index: number; readonly gap: number };

/**
 * Returns the rows in sight and those that must stay (-1: none). The last entry, whose index is the number of rows, is the gap
 * after the last drawn row; it is left out if there is none.
 */
export function drawnRows(
  count: number,
  window: { readonly from: number; readonly to: number } | undefined,
  staying: readonly number[],
): readonly DrawnRow[] {
  const { from, to } = window ?? { from: 0, to: count };
  const indexes = new Set(staying.filter((index) => index >= 0 && index < count));
  for (let index = from; index < Math.min(to, count); index += 1) indexes.add(index);
  const drawn: DrawnRow[] = [];
  let next = 0;
  for (const index of [...indexes].sort((one, other) => one - other)) {
    drawn.push({ index, gap: index - next });
    next = index + 1;
  }
  return next < count ? [...drawn, { index: count, gap: count - next }] : drawn;
}
