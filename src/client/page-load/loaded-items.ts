import type { ItemRow, PictureMarks } from '#shared/items/schema.ts';

/** All items of a catalogue, with their picture marks. */
export type LoadedItems = { rows: readonly ItemRow[]; marks: PictureMarks };

let cached: { of: string; items: LoadedItems } | undefined;

/** Returns the items loaded last if they are those of `of`, so that going back to the grid need not load them again. */
export const cachedItems = (of: string): LoadedItems | undefined => (cached?.of === of ? cached.items : undefined);

export function cacheItems(of: string, items: LoadedItems): void {
  cached = { of, items };
}

/** Called after a sign-out, or before other items are loaded. */
export function dropItems(): void {
  cached = undefined;
}
