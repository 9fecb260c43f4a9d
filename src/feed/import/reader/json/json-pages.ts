import { isContainerName, isHeadName, isListName } from '#feed/import/reader/item-names.ts';

/** What only a page says: its number among others, and how many items there are in all. */
const pageWord =
  /^(?:pages?|seite|total|count|anzahl|gesamt|limit|offset|next|prev|previous|cursor|has(?:more|next))|(?:page|seite|pages|seiten|count|cursor)$/iu;
/** What a page may say as well, but also an item. */
const otherWord =
  /^(?:nr|number|index|size|start|end|from|to|first|last|token|success|ok|code|message|took|timestamp|date|url)$/iu;
const pagesName = /^(?:pages?|seiten?|answers?|antworten?|responses?)$/iu;

/** The values of one member of a list, at all depths outside of its arrays. */
export type PageContent = {
  names: string[];
  /** Arrays of objects with their paths and numbers, also empty arrays. */
  arrays: { path: string; count: number; fields: number }[];
};

/**
 * Judges whether the members of a list are pages of items, as programs store the answers of an API that are asked for page by page:
 * each holds exactly one array of objects, always at the same path, and says nothing but what pages say. In doubt they are items: a
 * product with its offers must not be lost. `name`: the list's own; '' is the outermost value.
 */
export class PageShape {
  /** Where the items are in a page. */
  path: string | undefined;
  pages = 0;
  count = 0;
  fields = 0;
  /** The list is none of pages. */
  refuted: boolean;

  constructor(name: string) {
    this.refuted = name !== '' && !pagesName.test(name) && !isContainerName(name);
  }

  add({ names, arrays }: PageContent): void {
    this.pages += 1;
    const filled = arrays.filter(({ count }) => count > 0);
    const [first] = filled;
    this.path ??= first?.path;
    const others = filled.length > 1 || (first !== undefined && first.path !== this.path);
    this.refuted ||= others || arrays.length === 0 || !saysPage(names, this.path?.split('.').at(-1) ?? '');
    this.count += first?.count ?? 0;
    this.fields += first?.fields ?? 0;
  }
}

/** Whether a member with these values next to its list is a page, or a group such as a category of products. */
function saysPage(names: readonly string[], listName: string): boolean {
  if (names.every(isHeadName)) return names.length === 0 || isListName(listName);
  const isKnown = (name: string) => pageWord.test(name) || otherWord.test(name) || isHeadName(name);
  return names.every(isKnown) && names.some((name) => pageWord.test(name));
}
