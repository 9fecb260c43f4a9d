import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { Warnings } from '#feed/import/reader/warnings.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { XmlEvents, type XmlHandler } from './xml-events.ts';
import { feedFile } from './xml-file.ts';

type Group = { name: string; parent: string; root: boolean };
type Open = { kind: 'group' | 'place'; root: boolean; depth: number; values: Map<string, string> };

/** Most assignments of articles to groups: they follow the articles in the file and are kept in memory until those are read. */
const mostPlaces = 1_000_000;
/** Most groups of an article: a few bytes of groups must not make the cell of their names exceed its limit. */
const mostOfArticle = 100;
const mostLevels = 50;
/** Characters of an id or name. */
const mostText = 200;

const recordName = /^(?:CATALOG_STRUCTURE|(?:ARTICLE|PRODUCT)_TO_CATALOGGROUP_MAP)$/u;

/** An article's groups: their ids, and their names as paths from the top. */
export type Placed = { ids: readonly string[]; paths: readonly string[] };

/** The groups of a BMEcat catalogue and the articles in them, both listed apart from the articles. */
class GroupReader implements XmlHandler {
  private readonly language: string;
  private readonly rename: (name: string) => string;
  private readonly groups = new Map<string, Group>();
  private readonly places = new Map<string, string | string[]>();
  private depth = 0;
  private record: Open | undefined;
  private field: { name: string; spoken: boolean; text: string } | undefined;
  private placed = 0;
  private cut = false;

  constructor(language: string, rename: (name: string) => string) {
    this.language = language;
    this.rename = rename;
  }

  open(wire: string, attributes: Readonly<Record<string, string>>): void {
    const name = this.rename(wire);
    this.depth += 1;
    const { record: of, depth } = this;
    if (of && depth === of.depth + 1) this.field = { name, spoken: attributes['lang'] === this.language, text: '' };
    if (of || !recordName.test(name)) return;
    const kind = name === 'CATALOG_STRUCTURE' ? 'group' : 'place';
    this.record = { kind, root: attributes['type'] === 'root', depth, values: new Map() };
  }

  text(text: string): void {
    const { field } = this;
    if (field && field.text.length < mostText) field.text += text;
  }

  close(): void {
    const { record: of, field, depth } = this;
    this.depth -= 1;
    if (!of) return;
    if (depth === of.depth + 1 && field) {
      const { values } = of;
      if (!values.has(field.name) || (field.spoken && field.name === 'GROUP_NAME'))
        values.set(field.name, field.text.trim().slice(0, mostText));
      this.field = undefined;
    }
    if (depth > of.depth) return;
    this.keep(of);
    this.record = undefined;
  }

  private keep({ kind, root, values }: Open): void {
    const text = (name: string) => values.get(name) ?? '';
    if (kind === 'group') {
      if (this.groups.size >= mostPlaces) {
        this.cut = true;
        return;
      }
      this.groups.set(text('GROUP_ID'), { name: text('GROUP_NAME'), parent: text('PARENT_ID'), root });
      return;
    }
    const number = text('ART_ID') || text('PROD_ID');
    const group = text('CATALOG_GROUP_ID');
    if (number === '' || group === '') return;
    this.placed += 1;
    if (this.placed > mostPlaces) return;
    const known = [this.places.get(number) ?? []].flat();
    if (known.includes(group)) return;
    if (known.length >= mostOfArticle) this.cut = true;
    else this.places.set(number, known.length === 0 ? group : [...known, group]);
  }

  /** Whether groups or assignments were left out. */
  isCut(): boolean {
    return this.cut || this.placed > mostPlaces;
  }

  of(number: string): Placed {
    const ids = [this.places.get(number) ?? []].flat();
    return { ids, paths: ids.map((id) => this.pathOf(id)).filter((path) => path !== '') };
  }

  /** Returns the group names from the top down, without the root, which is the catalogue itself. */
  private pathOf(id: string): string {
    const names: string[] = [];
    const seen = new Set<string>();
    let at = id;
    for (
      let group = this.groups.get(at);
      group && !seen.has(at) && seen.size < mostLevels;
      group = this.groups.get(at)
    ) {
      seen.add(at);
      if (!group.root && group.name !== '') names.unshift(group.name);
      at = group.parent;
    }
    return names.join(' > ');
  }
}

/** Reads a catalogue once for its groups, before its articles are read. Returns a lookup by article number. */
export async function bmecatGroups(
  run: ImportRun,
  source: TextSource,
  language: string,
  rename: (name: string) => string,
): Promise<(number: string) => Placed> {
  const groups = new GroupReader(language, rename);
  const events = new XmlEvents(groups, run.limits, new Warnings());
  await feedFile(events, source, source.size - source.start, () => run.progress.beat());
  if (groups.isCut())
    run.warnings.once(
      'bmecat_groups_cut',
      `Der Katalog hat mehr als ${countText(mostPlaces)} Kategorien oder Zuordnungen zu Kategorien, oder mehr als ${countText(mostOfArticle)} für denselben Artikel. Spätere fehlen in den Feldern „Kategorie“ und „CATALOG_GROUP_ID“.`,
    );
  return (number) => groups.of(number);
}
