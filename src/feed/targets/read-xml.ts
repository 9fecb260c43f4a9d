import { KontorError } from '#platform/errors.ts';
import { all, find, readXml, textAt, type XmlNode } from '#platform/text/xml-tree.ts';
import { TARGET_LIMITS } from '#shared/targets/schema.ts';
import { type Draft, ListRefused } from './draft.ts';
import { draftsOf } from './read-json.ts';

/**
 * The entries of an XML document: the groups of a BMEcat, or elements with ids and names as attributes, elements or text; children stand inside
 * of their element or name their parent. Undefined if the text is no XML. @throws ListRefused for web pages, product feeds and broken documents
 */
export function readXmlList(text: string): Draft[] | undefined {
  if (!/^\s*<[?!a-z]/i.test(text)) return undefined;
  const root = documentOf(text);
  if (/^(?:rss|feed|urlset|sitemapindex|html)$/i.test(root.name)) throw new ListRefused(noList(root.name));
  if (/^bmecat$/i.test(root.name)) return bmecatGroups(root);
  const nodes = listsOf(root);
  if (nodes.some(holdsGoods)) throw new ListRefused(noList(root.name));
  const found = nodes.map(valueOf);
  const drafts = draftsOf(found.length === 1 ? found[0] : found);
  if (drafts.length === 0) throw new ListRefused('In der XML-Datei stehen keine Einträge mit Kennung und Namen.');
  return drafts;
}

/** Characters shown of an element's name in a message. */
const MOST_SHOWN = 40;
const shown = (name: string) => (name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name);

const noList = (name: string) =>
  `Die Datei ist XML der Art „${shown(name)}“: eine Webseite oder Daten von Artikeln oder Bestellungen, keine Liste des Kanals. Bitte laden Sie die Liste als CSV, Text, JSON oder XML hoch.`;

/** Characters searched for the start of a web page: in longer comments the expression would overflow its stack. */
const BEGINNING = 64 * 1024;

/** Removes the document type. One attempt at its first place: trying every place would take quadratic time in a hostile text. */
function withoutDocumentType(text: string): string {
  const type = /<!DOCTYPE\s[^[\]<>]*(?:\[[^\]]*\]\s*)?>/y;
  type.lastIndex = Math.max(0, text.indexOf('<!DOCTYPE'));
  const found = type.exec(text);
  return found === null ? text : text.slice(0, found.index) + text.slice(type.lastIndex);
}

function documentOf(text: string): XmlNode {
  const beginning = text.slice(0, BEGINNING);
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html)\b/is.test(beginning))
    throw new ListRefused(noList('html'));
  try {
    // BMEcat and YML declare their elements. Nothing is loaded or expanded: an entity that is used is an error.
    return readXml(withoutDocumentType(text), 10 * TARGET_LIMITS.entries);
  } catch (error) {
    if (error instanceof KontorError) throw new ListRefused(error.message);
    throw error;
  }
}

/** Its catalogue's groups, or those of a classification; the root stands for the catalogue. */
function bmecatGroups(root: XmlNode): Draft[] {
  const structures = all(root, 'CATALOG_STRUCTURE').filter(({ attributes }) => attributes['type'] !== 'root');
  if (structures.length > 0) return structures.map((node) => groupOf(node, 'GROUP_ID', 'GROUP_NAME', 'PARENT_ID'));
  const prefix = 'CLASSIFICATION_GROUP';
  const groups = all(root, prefix).map((node) =>
    groupOf(node, `${prefix}_ID`, `${prefix}_NAME`, `${prefix}_PARENT_ID`),
  );
  if (groups.length > 0) return groups;
  throw new ListRefused(
    'Der BMEcat enthält weder Katalogstruktur (CATALOG_STRUCTURE) noch Klassen (CLASSIFICATION_GROUP).',
  );
}

function groupOf(node: XmlNode, id: string, name: string, parent: string): Draft {
  const above = textAt(node, parent);
  const german = node.children.find((child) => child.name === name && /^de/i.test(child.attributes['lang'] ?? ''));
  const draft = { id: textAt(node, id), name: german?.text.trim() ?? textAt(node, name), info: '' };
  return above === '' ? draft : { ...draft, parent: above };
}

/** What only articles and orders have: their documents have ids and names, too. */
const goods =
  /^(?:price|preis|vk|ean|gtin|sku|quantity|menge|bestand|stock|article|artikel|product|produkt|order|party)$/i;
const holdsGoods = (node: XmlNode): boolean => goods.test(node.name) || node.children.some(holdsGoods);

const lists =
  /^(?:categories|categor(?:y_?tree|ytree)|kategorien|taxonomy|warengruppen|brands|marken|colou?rs|farben)$/i;

/** The elements that hold a list by their name, those nearest to the root; without one the whole document. */
function listsOf(root: XmlNode): XmlNode[] {
  for (let level = [root]; level.length > 0; level = level.flatMap(({ children }) => children)) {
    const found = level.filter(({ name, children }) => lists.test(name) && children.length > 0);
    if (found.length > 0) return found;
  }
  return [root];
}

/** An element as the JSON readers know it: attributes and texts as members, elements with something inside as lists. */
function valueOf(node: XmlNode): Record<string, unknown> {
  const value: Record<string, unknown> = { ...node.attributes };
  for (const [name, children] of Map.groupBy(node.children, (child) => child.name)) {
    if (children.every(isText)) value[name] = textOf(children);
    // Such lists are no entries but what is said of one.
    else if (name === 'attributes') value[name] = children.flatMap((child) => child.children.map(valueOf));
    else value[`${name}[]`] = children.map(valueOf);
  }
  const text = node.text.trim();
  if (text !== '' && find(node, 'name') === undefined && value['name'] === undefined) value['name'] = text;
  return value;
}

const isText = ({ children, attributes }: XmlNode): boolean =>
  children.length === 0 && Object.keys(attributes).every((name) => /^(?:xml:)?lang$/.test(name));

/** The German one of texts in several languages; several texts of one language stay a list. */
function textOf(nodes: readonly XmlNode[]): unknown {
  const language = ({ attributes }: XmlNode) => attributes['xml:lang'] ?? attributes['lang'] ?? '';
  const [first] = nodes;
  if (nodes.length > 1 && nodes.some((node) => language(node) === '')) return nodes.map((node) => node.text.trim());
  return (nodes.find((node) => /^de/i.test(language(node))) ?? first)?.text.trim();
}
