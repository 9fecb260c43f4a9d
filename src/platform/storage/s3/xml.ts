import { SaxesParser } from 'saxes';

/** The texts of an element's own children, by their names. */
type Fields = ReadonlyMap<string, string>;

/** Every element of that name in a document, as its children's texts; the document's own ones for the name of its root. */
export function elementsOf(xml: string, name: string): Fields[] {
  const found: Fields[] = [];
  const open: { name: string; text: string; fields: Map<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => open.push({ name: tag.name, text: '', fields: new Map() }));
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed === undefined) return;
    open.at(-1)?.fields.set(closed.name, closed.text);
    if (closed.name === name) found.push(closed.fields);
  });
  parser.write(xml).close();
  return found;
}

/** What a store says of a failure; undefined where it answers something else, an error page of a proxy for instance. */
export function errorCode(xml: string): string | undefined {
  try {
    return elementsOf(xml, 'Error')[0]?.get('Code');
  } catch {
    return undefined;
  }
}
