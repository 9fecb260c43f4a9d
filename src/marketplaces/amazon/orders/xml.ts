/** An element of an XML document to write. */
export type XmlElement = readonly [
  name: string,
  content: string | readonly XmlElement[],
  attributes?: Readonly<Record<string, string>>,
];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for a document; characters that XML cannot hold are left out. */
const textOf = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- these are what XML forbids
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '')
    .replaceAll(/[&<>"']/gu, (char) => escapes[char] ?? '');

/** Returns a whole document as text. */
export const xmlDocument = (root: XmlElement): string => `<?xml version="1.0" encoding="UTF-8"?>\n${written(root)}\n`;

function written([name, content, attributes = {}]: XmlElement): string {
  const opened = Object.entries(attributes).map(([key, value]) => ` ${key}="${textOf(value)}"`);
  const inner = typeof content === 'string' ? textOf(content) : content.map(written).join('');
  return `<${name}${opened.join('')}>${inner}</${name}>`;
}
