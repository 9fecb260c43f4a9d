import { SaxesParser } from 'saxes';
import { unprocessable } from '#platform/errors.ts';

/** An element by its local name, with its text and its child elements. */
export type XmlNode = { name: string; attributes: Readonly<Record<string, string>>; text: string; children: XmlNode[] };

const MOST_NODES = 500_000;
const DEEPEST = 40;

export const tooLarge = () =>
  unprocessable(
    'too_large',
    'Die Datei ist zu groß oder zu tief verschachtelt. Es wurde nichts gespeichert. Bitte prüfen Sie, ob es die richtige ist, oder teilen Sie sie auf.',
  );

/** The tree of a document; namespaces are dropped. @throws KontorError for what is no XML, has a DOCTYPE, or is too deep or large */
export function readXml(text: string, mostNodes = MOST_NODES): XmlNode {
  const root: XmlNode = { name: '', attributes: {}, text: '', children: [] };
  const open: XmlNode[] = [root];
  let nodes = 0;
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw unprocessable(
      'unreadable',
      `Die Datei ist kein gültiges XML (Zeile ${parser.line}). Es wurde nichts gespeichert. Bitte exportieren Sie sie noch einmal vollständig; das Zeichen & muss darin als &amp; stehen.`,
    );
  });
  parser.on('doctype', () => {
    throw unprocessable(
      'doctype',
      'Die Datei enthält eine DOCTYPE-Angabe; so etwas wird nicht gelesen. Es wurde nichts gespeichert. Bitte exportieren Sie sie ohne diese Angabe.',
    );
  });
  parser.on('opentag', ({ name, attributes }) => {
    nodes += 1;
    if (nodes > mostNodes || open.length > DEEPEST) throw tooLarge();
    const node: XmlNode = { name: local(name), attributes, text: '', children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  const add = (part: string) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  const [document] = root.children;
  if (document === undefined) throw unprocessable('empty', 'Die Datei ist leer. Es wurde nichts gespeichert.');
  return document;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Returns the first element on a path below a node. */
export function find(node: XmlNode, ...path: string[]): XmlNode | undefined {
  let at: XmlNode | undefined = node;
  for (const name of path) at = at?.children.find((child) => child.name === name);
  return at;
}
/** Returns the trimmed text of the first element on a path; '' if there is none. */
export const textAt = (node: XmlNode, ...path: string[]): string => find(node, ...path)?.text.trim() ?? '';
/**
 * Returns the elements of a name below a node, none of which may hold another one: each is read with everything inside it, so
 * nested ones would be read once per level. @throws 422 for a nested one
 */
export function allApart(node: XmlNode, name: string): XmlNode[] {
  const found: XmlNode[] = [];
  const collect = ({ children }: XmlNode, isInside: boolean): void => {
    for (const child of children) {
      const isOne = child.name === name;
      if (isOne && isInside) throw nested(name);
      if (isOne) found.push(child);
      collect(child, isInside || isOne);
    }
  };
  collect(node, false);
  return found;
}

const nested = (name: string) =>
  unprocessable(
    'nested',
    `In der Datei steht ein Element „${name}“ in einem anderen „${name}“; was davon gilt, ist unklar. Es wurde nichts gespeichert. Bitte exportieren Sie die Datei noch einmal, oder prüfen Sie, ob es die richtige ist.`,
  );

/** Returns all elements of a name below a node, at any depth. */
export const all = (node: XmlNode, name: string): XmlNode[] =>
  node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
