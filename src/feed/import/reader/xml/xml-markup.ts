import { localName } from '#feed/import/reader/xlsx/local-names.ts';
import type { XmlNode } from './xml-items.ts';

const tags = new Set(
  'a abbr b bdi big blockquote br center cite code dd del div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var wbr'.split(
    ' ',
  ),
);
const empty = new Set(['br', 'hr', 'img', 'wbr']);

/** Whether an element is one of the HTML elements that format text. */
export function isTag(name: string): boolean {
  return tags.has(localName(name).toLowerCase());
}

/** Whether an element is a text with formatted parts: `Text <b>fett</b> mehr`. */
export function isFormatted(node: XmlNode): boolean {
  return node.children.length > 0 && node.text.trim() !== '' && onlyTags(node);
}

function onlyTags(node: XmlNode): boolean {
  return node.children.every((child) => isTag(child.name) && onlyTags(child));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the content of an element as HTML, in document order. */
export function markupOf(node: XmlNode): string {
  let markup = '';
  let from = 0;
  for (const child of node.children) {
    markup += escaped(node.text.slice(from, child.at)) + element(child);
    from = child.at;
  }
  return markup + escaped(node.text.slice(from));
}

function element(node: XmlNode): string {
  const name = localName(node.name);
  const attributes = Object.entries(node.attributes)
    .filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:'))
    .map(([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`)
    .join('');
  if (node.children.length === 0 && node.text === '' && empty.has(name.toLowerCase())) return `<${name}${attributes}>`;
  return `<${name}${attributes}>${markupOf(node)}</${name}>`;
}
