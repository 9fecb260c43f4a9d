/** An element of an item with everything in it. */
export type XmlNode = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlNode[];
  text: string;
  line: number;
};

/** Path and header of a cell, and its value; called once per occurrence, also for empty elements. */
export type CellSink = (header: string, value: string) => void;

function giveAttributes(node: XmlNode, header: string, give: CellSink): void {
  for (const [name, value] of Object.entries(node.attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) give(`${header}@${name}`, value);
  }
}

/** The generic way: nested elements are `a/b`, attributes `a@b`, own attributes of the item `@b`. */
export function flattenItem(item: XmlNode, give: CellSink): void {
  giveAttributes(item, '', give);
  const own = item.text.trim();
  if (own !== '') give('#text', own);
  for (const child of item.children) flattenInto(child, child.name, give);
}

function flattenInto(node: XmlNode, header: string, give: CellSink): void {
  const text = node.text.trim();
  if (node.children.length === 0 || text !== '') give(header, text);
  giveAttributes(node, header, give);
  for (const child of node.children) flattenInto(child, `${header}/${child.name}`, give);
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
  const values = node.children.filter(
    (child) => child.name === 'FVALUE' && (child.attributes['lang'] ?? language) === language,
  );
  const texts =
    values.length > 0
      ? values.map((value) => value.text.trim())
      : [first(node, ['FVALUE', 'FVALUE_DETAILS', 'VALUE_IDREF'], language)];
  for (const text of texts) give(`Merkmal: ${name}`, text);
  const unit = first(node, ['FUNIT', 'FT_UNIT'], language);
  if (unit !== '') give(`Einheit: ${name}`, unit);
}

/**
 * BMEcat products: the well-known elements go by their short names, features become `Merkmal: <name>` (with `Einheit:
 * <name>`), amounts also `Preis: <price type>`; texts in other languages than the catalogue's get `(eng)` behind.
 */
export function flattenBmecat(item: XmlNode, language: string, give: CellSink): void {
  const walk = (node: XmlNode, prefix: string): void => {
    for (const child of node.children) {
      if (child.name === 'FEATURE') {
        giveFeature(child, language, give);
        continue;
      }
      const header = prefix === '' ? child.name : `${prefix}/${child.name}`;
      if (child.children.length > 0) {
        if (/^(?:PRODUCT|ARTICLE)_PRICE$/u.test(child.name)) givePrice(child, give);
        walk(child, wrappers.test(child.name) ? prefix : header);
        continue;
      }
      const spoken = child.attributes['lang'];
      give(spoken === undefined || spoken === language ? header : `${header} (${spoken})`, child.text.trim());
      const kind = child.attributes['type'];
      if (kind !== undefined) give(`${header}@type`, kind);
    }
  };
  giveAttributes(item, '', give);
  walk(item, '');
}

function givePrice(node: XmlNode, give: CellSink): void {
  const kind = node.attributes['price_type'];
  const amount = node.children.find((child) => child.name === 'PRICE_AMOUNT')?.text.trim();
  if (kind && amount) give(`Preis: ${kind}`, amount);
}
