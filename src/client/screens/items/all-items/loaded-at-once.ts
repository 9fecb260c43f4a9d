import { type ItemPage, MAX_LOADED_ITEMS } from '#shared/items/schema.ts';

/** Values that a browser holds and searches without getting slow: the most items, with sixty-four fields each. */
const MAX_LOADED_VALUES = MAX_LOADED_ITEMS * 64;

/** Tells whether a catalogue is loaded as soon as its grid is opened. */
export const isLoadedAtOnce = ({ items, columns }: Pick<ItemPage, 'items' | 'columns'>): boolean =>
  items > 0 && items <= MAX_LOADED_ITEMS && items * columns.length <= MAX_LOADED_VALUES;
