import {
  isContainerName,
  isErrorName,
  isHeadName,
  isItemName,
  isListName,
  isSideName,
} from '#feed/import/reader/item-names.ts';
import type { XmlHandler } from './xml-events.ts';
import { isTag } from './xml-markup.ts';

/**
 * Statistics of one element path. `elements`: occurrences with child elements; `rich`: those with child elements or two
 * attributes; `siblings`: most occurrences in one parent.
 */
type PathStatistic = {
  path: string;
  name: string;
  depth: number;
  count: number;
  elements: number;
  rich: number;
  siblings: number;
  attributes: number;
  text: boolean;
  /** At least one of them had both text and elements. */
  mixed: boolean;
};
type Open = { statistic: PathStatistic; children: Map<PathStatistic, number>; attributes: number; text: boolean };

/** The element of the items. `alone`: chosen only because no other element could be an item. */
export type ItemElement = { path: string; alone: boolean };

const maxPaths = 20_000;

/** Learns the shape of a document: which element repeats, the name of the root, the language of a BMEcat catalogue. */
export class XmlSurvey implements XmlHandler {
  private readonly statistics = new Map<string, PathStatistic>();
  private children: Map<PathStatistic | undefined, PathStatistic[]> | undefined;
  private readonly stack: Open[] = [];
  root = '';
  rootAttributes: Readonly<Record<string, string>> = {};
  language: string | undefined;
  private languageText: string | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.stack.at(-1);
    if (!parent) {
      this.root = name;
      this.rootAttributes = attributes;
    }
    const statistic = this.statisticOf(parent ? `${parent.statistic.path}/${name}` : name, name);
    statistic.count += 1;
    if (parent) parent.children.set(statistic, (parent.children.get(statistic) ?? 0) + 1);
    const own = Object.keys(attributes).filter((key) => !key.startsWith('xmlns')).length;
    statistic.attributes = Math.max(statistic.attributes, own);
    this.stack.push({ statistic, children: new Map(), attributes: own, text: false });
    const wanted = /(?:^|:)LANGUAGE$/u.test(name) && (this.language === undefined || attributes['default'] === 'true');
    this.languageText = wanted && this.root.endsWith('BMECAT') ? '' : undefined;
  }

  text(text: string): void {
    if (this.languageText !== undefined) this.languageText += text;
    const open = this.stack.at(-1);
    if (open && !open.text) open.text = /\S/u.test(text);
  }

  close(): void {
    if (this.languageText !== undefined) this.language = this.languageText.trim() || this.language;
    this.languageText = undefined;
    const closed = this.stack.pop();
    if (closed) this.learn(closed);
  }

  /** Ends the survey of a document of which only the beginning was read. */
  finish(): void {
    for (const open of this.stack.splice(0).toReversed()) this.learn(open);
  }

  private learn({ statistic, children, attributes, text }: Open): void {
    statistic.text ||= text;
    statistic.mixed ||= text && children.size > 0;
    if (children.size > 0) statistic.elements += 1;
    if (children.size > 0 || attributes >= 2) statistic.rich += 1;
    for (const [child, count] of children) child.siblings = Math.max(child.siblings, count);
  }

  private statisticOf(path: string, name: string): PathStatistic {
    const known = this.statistics.get(path);
    if (known) return known;
    const made: PathStatistic = {
      path,
      name,
      depth: path.split('/').length,
      count: 0,
      elements: 0,
      rich: 0,
      siblings: 0,
      attributes: 0,
      text: false,
      mixed: false,
    };
    if (this.statistics.size < maxPaths) this.statistics.set(path, made);
    return made;
  }

  /** Returns the element of the items; undefined for a feed without items. */
  items(): ItemElement | undefined {
    const sure = this.named()[0] ?? (this.mayHoldOthers() ? this.unnamed() : undefined);
    if (sure) return { path: sure.path, alone: false };
    const alone = this.mayHoldOthers() ? this.onlyOne() : undefined;
    return alone && { path: alone.path, alone: true };
  }

  /** Returns the name of an error element near the root. Used only for a document whose items are not certain. */
  error(): string | undefined {
    const found = this.all().find(
      (entry) => entry.depth <= 3 && isErrorName(entry.name) && (entry.elements > 0 || entry.text),
    );
    return found?.name;
  }

  /** Returns paths of elements next to the items that look like items too, but have another name. */
  othersLike(path: string): string[] {
    const chosen = this.statistics.get(path);
    if (!chosen) return [];
    const parent = this.parentOf(chosen);
    const siblings = this.rich().filter((entry) => this.parentOf(entry) === parent && !isHeadName(entry.name));
    const named = this.named().filter((entry) => entry.count > 1 && !entry.path.startsWith(`${path}/`));
    const least = Math.max(2, this.fields(chosen) / 2);
    const found = [...siblings.filter((entry) => this.fields(entry) >= least), ...named];
    return [...new Set(found.map((entry) => entry.path))].filter((other) => other !== path);
  }

  /** Returns paths of repeating elements around the items that have values of their own, such as named categories. */
  groupsAround(path: string): string[] {
    const item = this.statistics.get(path);
    const groups: string[] = [];
    for (let above = item && this.parentOf(item); above; above = this.parentOf(above))
      if (above.siblings > 1 && this.fields(above) > 0) groups.push(above.path);
    return groups;
  }

  /** Returns the paths that may be items, best first. */
  candidates(): string[] {
    const list = [...this.named(), ...this.repeated(), ...this.rich().filter((entry) => entry.depth === 2)];
    return [...new Set(list.map((entry) => entry.path))];
  }

  private all(): PathStatistic[] {
    return [...this.statistics.values()];
  }

  private rich(): PathStatistic[] {
    return this.all().filter((entry) => entry.rich > 0 && entry.depth > 1);
  }

  private parentOf(entry: PathStatistic): PathStatistic | undefined {
    return this.statistics.get(entry.path.slice(0, -entry.name.length - 1));
  }

  private childrenOf(parent: PathStatistic): readonly PathStatistic[] {
    this.children ??= Map.groupBy(this.statistics.values(), (entry) => this.parentOf(entry));
    return this.children.get(parent) ?? [];
  }

  /** Returns the number of an element's own values: attributes and child elements without children. */
  private fields(entry: PathStatistic): number {
    return entry.attributes + this.childrenOf(entry).filter((child) => child.elements === 0).length;
  }

  private isBelow(entry: PathStatistic, test: (above: PathStatistic) => boolean): boolean {
    for (let above = this.parentOf(entry); above; above = this.parentOf(above)) if (test(above)) return true;
    return false;
  }

  private named(): PathStatistic[] {
    const found = new Set(this.rich().filter((entry) => isItemName(entry.name)));
    return [...found]
      .filter((entry) => !this.isBelow(entry, (above) => found.has(above)))
      .toSorted((a, b) => b.count - a.count || a.depth - b.depth);
  }

  /** Feeds whose items have fixed names, and feeds with an empty list in place of the items, have no items of other names. */
  private mayHoldOthers(): boolean {
    const local = this.root.slice(this.root.lastIndexOf(':') + 1).toLowerCase();
    const atom = Object.values(this.rootAttributes).includes('http://www.w3.org/2005/Atom');
    return local !== 'rss' && local !== 'rdf' && !atom && !this.all().some((entry) => this.isEmptyList(entry));
  }

  private isEmptyList(entry: PathStatistic): boolean {
    if (!isListName(entry.name) || entry.elements > 0 || entry.text) return false;
    const parent = this.parentOf(entry);
    return entry.depth < 3 || (entry.depth === 3 && parent !== undefined && isContainerName(parent.name));
  }

  /** Finds items by shape: a document that is one product, or the element that repeats. */
  private unnamed(): PathStatistic | undefined {
    const root = this.statistics.get(this.root);
    const own = root && isItemName(root.name) ? this.fields(root) : 0;
    if (own >= 2) return root;
    return this.repeated()[0] ?? this.plainList() ?? (own > 0 ? root : undefined);
  }

  private repeated(): PathStatistic[] {
    const found = new Set(this.rich().filter((entry) => entry.siblings > 1));
    const inItem = (entry: PathStatistic) =>
      this.isBelow(entry, (above) => found.has(above) && this.fields(above) >= Math.max(2, this.fields(entry)));
    return [...found]
      .filter((entry) => !inItem(entry))
      .toSorted(
        (a, b) =>
          Number(isSideName(a.name)) - Number(isSideName(b.name)) || b.siblings - a.siblings || a.depth - b.depth,
      );
  }

  /** Finds elements of one name with one value each, next to no other elements: `<skus><sku>1</sku><sku>2</sku></skus>`. */
  private plainList(): PathStatistic | undefined {
    return this.all()
      .filter((entry) => entry.depth > 1 && (entry.siblings > 1 || isItemName(entry.name)))
      .filter((entry) => entry.elements === 0 && (entry.text || entry.attributes > 0) && this.isOnly(entry))
      .toSorted((a, b) => b.siblings - a.siblings || a.depth - b.depth)[0];
  }

  private isOnly(entry: PathStatistic): boolean {
    const parent = this.parentOf(entry);
    return parent !== undefined && this.childrenOf(parent).every((child) => child === entry || isHeadName(child.name));
  }

  /** Finds the only element with child elements, if the root holds no other and it is not a header of the feed. */
  private onlyOne(): PathStatistic | undefined {
    let at = this.statistics.get(this.root);
    let found: PathStatistic | undefined;
    while (at) {
      const children = this.childrenOf(at);
      const [child, ...others]: readonly PathStatistic[] = children.filter((entry) => entry.rich > 0);
      if (!child || others.length > 0 || (found && children.length > 1) || isHeadName(child.name)) return found;
      found = child;
      at = child;
    }
    return found;
  }

  /** Returns the paths, relative to `path`, of texts with formatted parts. */
  formatted(path: string): string[] {
    const onlyTags = (entry: PathStatistic): boolean =>
      this.childrenOf(entry).every((child) => isTag(child.name) && onlyTags(child));
    return this.all()
      .filter((entry) => entry.mixed && entry.path.startsWith(`${path}/`) && onlyTags(entry))
      .map((entry) => entry.path.slice(path.length + 1));
  }

  /** Whether the elements at a path hold only one text each. */
  isPlain(path: string): boolean {
    const found = this.statistics.get(path);
    return found !== undefined && found.elements === 0 && found.attributes === 0;
  }

  /** Whether an element has this name, with any prefix. */
  holds(name: string): boolean {
    return this.all().some((entry) => entry.name.slice(entry.name.lastIndexOf(':') + 1) === name);
  }

  /** Returns the path of the element that a merchant named by name or path; undefined if there is none. */
  find(name: string): string | undefined {
    const text = name.replace(/^\/+/u, '').replaceAll('.', '/');
    const entries = [...this.statistics.values()].toSorted((a, b) => b.count - a.count);
    const found =
      entries.find((entry) => entry.path === name.replace(/^\/+/u, '')) ??
      entries.find((entry) => entry.name === name || entry.path === text) ??
      entries.find((entry) => entry.path.endsWith(`/${text}`));
    return found?.path;
  }
}
