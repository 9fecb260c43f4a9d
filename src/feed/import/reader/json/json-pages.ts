import { isHeadName, isListName } from '#feed/import/reader/item-names.ts';
import { isItemNumber } from '#feed/import/reader/key.ts';

/** What a page says about itself and its neighbours, next to its items. */
const pageWord =
  /^(?:pages?|seite|nr|number|index|total|totals?count|count|anzahl|gesamt|size|limit|offset|start|end|from|to|next|prev|previous|first|last|cursor|token|has(?:more|next)|success|ok|code|message|took|timestamp|date|url|type)|(?:page|seite|count|cursor|token|total)s?$/iu;

/** The values of one member of a list, at all depths outside of its arrays. */
export type PageContent = {
  names: string[];
  /** Arrays of objects with their paths and numbers, also empty arrays. */
  arrays: { path: string; count: number; fields: number }[];
};

/**
 * Judges whether the members of a list are pages of items, as programs store the answers of an API that are asked for page by page:
 * each holds exactly one array of objects, always at the same path, and is no item itself.
 */
export class PageShape {
  /** Where the items are in a page. */
  path: string | undefined;
  pages = 0;
  count = 0;
  fields = 0;
  /** A member is no page. */
  refuted = false;

  add({ names, arrays }: PageContent): void {
    this.pages += 1;
    const filled = arrays.filter(({ count }) => count > 0);
    const [first] = filled;
    this.path ??= first?.path;
    const isItem = names.some((name) => isItemNumber(name) || /price|preis/iu.test(name));
    const others = filled.length > 1 || (first !== undefined && first.path !== this.path);
    if (isItem || others || arrays.length === 0) this.refuted = true;
    else if (first !== undefined) {
      const name = first.path.split('.').at(-1) ?? '';
      this.refuted ||= !isListName(name) && !names.every((other) => pageWord.test(other) || isHeadName(other));
      this.count += first.count;
      this.fields += first.fields;
    }
  }
}
