import type { XmlHandler } from './xml-events.ts';

type PathStatistic = { path: string; name: string; depth: number; count: number; rich: number; siblings: number };
type Open = { statistic: PathStatistic; children: Map<PathStatistic, number>; attributes: number };

const itemName =
  /^(?:[\w-]+:)?(?:item|entry|product|produkt|artikel|article|offer|angebot|row|record|datensatz|ware|listing|goods)$/iu;
const maxPaths = 20_000;

/** Learns the shape of a document: which element repeats, the name of the root, the language of a BMEcat catalogue. */
export class XmlSurvey implements XmlHandler {
  private readonly statistics = new Map<string, PathStatistic>();
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
    this.stack.push({ statistic, children: new Map(), attributes: own });
    const wanted = name === 'LANGUAGE' && (this.language === undefined || attributes['default'] === 'true');
    this.languageText = wanted && this.root.endsWith('BMECAT') ? '' : undefined;
  }

  text(text: string): void {
    if (this.languageText !== undefined) this.languageText += text;
  }

  close(): void {
    if (this.languageText !== undefined) this.language = this.languageText.trim() || this.language;
    this.languageText = undefined;
    const closed = this.stack.pop();
    if (!closed) return;
    if (closed.children.size > 0 || closed.attributes >= 2) closed.statistic.rich += 1;
    for (const [child, count] of closed.children) child.siblings = Math.max(child.siblings, count);
  }

  private statisticOf(path: string, name: string): PathStatistic {
    const known = this.statistics.get(path);
    if (known) return known;
    const made = { path, name, depth: path.split('/').length, count: 0, rich: 0, siblings: 0 };
    if (this.statistics.size < maxPaths) this.statistics.set(path, made);
    return made;
  }

  /** Paths that may be items, best first. */
  candidates(): string[] {
    for (const open of this.stack.toReversed()) {
      if (open.children.size > 0) open.statistic.rich += 1;
      for (const [child, count] of open.children) child.siblings = Math.max(child.siblings, count);
    }
    const rich = [...this.statistics.values()].filter((entry) => entry.rich > 0 && entry.depth > 1);
    const named = rich.filter(
      (entry) =>
        itemName.test(entry.name) &&
        !rich.some((other) => itemName.test(other.name) && entry.path.startsWith(`${other.path}/`)),
    );
    const bySiblings = rich.toSorted((a, b) => b.siblings - a.siblings || a.depth - b.depth);
    const byCount = named.toSorted((a, b) => b.count - a.count || a.depth - b.depth);
    const [repeated] = bySiblings;
    const list = [
      ...byCount,
      ...(repeated && repeated.siblings > 1 ? bySiblings : []),
      ...rich.filter((entry) => entry.depth === 2),
    ];
    return [...new Set(list.map((entry) => entry.path))];
  }

  /** The path meant by a name or a path a merchant wrote. */
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
