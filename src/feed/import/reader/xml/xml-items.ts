import { giveGroups } from './xml-groups.ts';
import { isFormatted, markupOf } from './xml-markup.ts';

/** An element of an item with its whole content. */
export type XmlNode = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlNode[];
  text: string;
  /** Offset in the text of its parent. */
  at: number;
  line: number;
};

/** Receives the header and value of a cell; called once per occurrence, also for empty elements. */
export type CellSink = (header: string, value: string) => void;

function giveAttributes(node: XmlNode, header: string, give: CellSink): void {
  for (const [name, value] of Object.entries(node.attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) give(`${header}@${name}`, value);
  }
}

/** `formatted`: headers of elements that have formatted text in some items. `onMarkup`: called for each such text. */
export type Flattening = {
  formatted: ReadonlySet<string>;
  onMarkup: (header: string) => void;
  give: CellSink;
  inner?: boolean;
};

const fieldElement =
  /^(?:[\w-]+:)?(?:field|column|col|property|prop|feld|spalte|cell|str|string|int|integer|long|float|double|decimal|bool|boolean|date|datetime)$/iu;

/** Returns the fields of a database dump, whose names are in an attribute: `<field name="sku">1</field>` and nothing else. */
function namedFields(item: XmlNode): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  for (const { name, attributes, children, text } of item.children) {
    const called = attributes['name']?.trim();
    if (!called || children.length > 0 || fields.has(called) || !fieldElement.test(name)) return undefined;
    fields.set(called, text.trim());
  }
  return fields.size > 0 ? fields : undefined;
}

/** Flattens an item of any XML format: nested elements are `a/b`, attributes `a@b`, the item's own attributes `@b`. */
export function flattenItem(item: XmlNode, to: Flattening): void {
  giveAttributes(item, '', to.give);
  const own = item.text.trim();
  if (own !== '') to.give('#text', own);
  const fields = namedFields(item);
  if (fields) for (const [name, text] of fields) to.give(name, text);
  else flattenChildren(item, '', to);
}

function flattenChildren(node: XmlNode, header: string, to: Flattening): void {
  for (const [name, members] of Map.groupBy(node.children, (child) => child.name)) {
    const here = header === '' ? name : `${header}/${name}`;
    const pairs = members.length > 1 && members.some((member) => isGroup(member));
    if (!pairs) for (const member of members) flattenInto(member, here, to);
    else {
      const one = (member: XmlNode, give: CellSink) => flattenInto(member, here, { ...to, give, inner: true });
      giveGroups(members, one, to.give, to.inner ?? false);
    }
  }
}

function isGroup(node: XmlNode): boolean {
  return node.children.length > 0 || Object.keys(node.attributes).length > 0;
}

function flattenInto(node: XmlNode, header: string, to: Flattening): void {
  giveText(node, header, to);
  giveAttributes(node, header, to.give);
  if (!isMarkup(node, header, to)) flattenChildren(node, header, to);
}

function isMarkup(node: XmlNode, header: string, { formatted }: Flattening): boolean {
  return node.children.length > 0 && (formatted.has(header) || isFormatted(node));
}

function giveText(node: XmlNode, header: string, to: Flattening): void {
  if (isMarkup(node, header, to)) {
    to.onMarkup(header);
    to.give(header, markupOf(node).trim());
    return;
  }
  const text = node.text.trim();
  if (node.children.length === 0 || text !== '') to.give(header, text);
}

const wrappers =
  /^(?:PRODUCT|ARTICLE)_(?:DETAILS|ORDER_DETAILS|PRICE_DETAILS|PRICE|FEATURES|LOGISTIC_DETAILS|REFERENCE)$|^MIME(?:_INFO)?$|^USER_DEFINED_EXTENSIONS$/u;

function first(node: XmlNode, names: readonly string[], language: string): string {
  for (const name of names) {
    const found = descendants(node, name);
    const chosen = found.find((child) => (child.attributes['lang'] ?? language) === language) ?? found[0];
    const text = chosen?.text.trim();
    if (text) return text;
  }
  return '';
}

function descendants(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => (child.name === name ? [child] : descendants(child, name)));
}

function giveFeature(node: XmlNode, language: string, give: CellSink): void {
  const name = first(node, ['FNAME', 'FT_NAME', 'FT_IDREF', 'FT_ID'], language);
  if (name === '') return;
  const variants = descendants(node, 'VARIANT');
  const values = [node, ...variants]
    .flatMap(({ children }) => children)
    .filter((child) => child.name === 'FVALUE' && (child.attributes['lang'] ?? language) === language);
  const texts =
    values.length > 0
      ? values.map((value) => value.text.trim())
      : [first(node, ['FVALUE', 'FVALUE_DETAILS', 'VALUE_IDREF'], language)];
  for (const text of texts) give(`Merkmal: ${name}`, text);
  for (const variant of variants) {
    const supplement = first(variant, ['SUPPLIER_AID_SUPPLEMENT', 'SUPPLIER_PID_SUPPLEMENT'], language);
    if (supplement !== '') give(`Zusatz der Nummer: ${name}`, supplement);
  }
  const unit = first(node, ['FUNIT', 'FT_UNIT'], language);
  if (unit !== '') give(`Einheit: ${name}`, unit);
}

/**
 * Flattens a BMEcat product: well-known elements get short names, features become `Merkmal: <name>` (with `Einheit: <name>`),
 * amounts also `Preis: <price type>`; texts in other languages than the catalogue's get a suffix such as `(eng)`.
 */
export function flattenBmecat(item: XmlNode, language: string, to: Flattening): void {
  giveAttributes(item, '', to.give);
  walkBmecat(item, '', language, to);
}

function walkBmecat(node: XmlNode, prefix: string, language: string, to: Flattening): void {
  for (const [name, members] of Map.groupBy(node.children, (child) => child.name)) {
    const header = prefix === '' ? name : `${prefix}/${name}`;
    const groups: XmlNode[] = [];
    for (const child of members) {
      if (name === 'FEATURE') giveFeature(child, language, to.give);
      else if (child.children.length === 0 || isFormatted(child)) giveBmecatText(child, header, language, to);
      else groups.push(child);
      if (/^(?:PRODUCT|ARTICLE)_PRICE$/u.test(name)) givePrice(child, to.give);
    }
    const inside = wrappers.test(name) ? prefix : header;
    const [only] = groups;
    if (groups.length === 1 && only) walkBmecat(only, inside, language, to);
    else {
      const one = (child: XmlNode, give: CellSink) => walkBmecat(child, inside, language, { ...to, give, inner: true });
      giveGroups(groups, one, to.give, to.inner ?? false);
    }
  }
}

function giveBmecatText(node: XmlNode, header: string, language: string, to: Flattening): void {
  const spoken = node.attributes['lang'];
  giveText(node, spoken === undefined || spoken === language ? header : `${header} (${spoken})`, to);
  const kind = node.attributes['type'];
  if (kind !== undefined) to.give(`${header}@type`, kind);
}

function givePrice(node: XmlNode, give: CellSink): void {
  const kind = node.attributes['price_type'];
  const amount = node.children.find((child) => child.name === 'PRICE_AMOUNT')?.text.trim();
  if (kind && amount) give(`Preis: ${kind}`, amount);
}
