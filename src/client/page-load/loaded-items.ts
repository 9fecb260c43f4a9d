import type { ItemRow, PictureMarks } from '#shared/items/schema.ts';

/** All items of a catalogue, with the marks of their pictures. */
export type LoadedItems = { rows: readonly ItemRow[]; marks: PictureMarks };

let kept: { of: string; items: LoadedItems } | undefined;

/** What was loaded last, if it is this: whoever comes back to the grid finds it there. */
export const keptItems = (of: string): LoadedItems | undefined => (kept?.of === of ? kept.items : undefined);

export function keepItems(of: string, items: LoadedItems): void {
  kept = { of, items };
}

/** Behind a sign-out, or before others take their place. */
export function dropItems(): void {
  kept = undefined;
}
