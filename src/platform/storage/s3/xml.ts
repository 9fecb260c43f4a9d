import { SaxesParser } from 'saxes';

/** Texts of an element's direct children, by name. */
type Fields = ReadonlyMap<string, string>;

/** Returns every element of a name in a document as its children's texts; the name of the root gives the document itself. */
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

/** Returns the error code of a store; undefined for any other response, e.g. an error page of a proxy. */
export function errorCode(xml: string): string | undefined {
  try {
    return elementsOf(xml, 'Error')[0]?.get('Code');
  } catch {
    return undefined;
  }
}
