import { SaxesParser } from 'saxes';

/** An element of a feed: its text, or its child elements. */
export type FeedElement = {
  name: string;
  text: string;
  attributes: Readonly<Record<string, string>>;
  children: FeedElement[];
};

/** Parses a document and returns its root; undefined: it is not well formed. */
export function readTree(xml: string): FeedElement | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const open: FeedElement[] = [];
  let root: FeedElement | undefined;
  let failed = false;
  parser.on('error', () => void (failed = true));
  parser.on('opentag', ({ name, attributes }) => {
    const element: FeedElement = { name, text: '', attributes, children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return failed ? undefined : root;
}

/** Returns all elements at a path of names below an element. */
export const elements = (from: FeedElement | undefined, ...path: string[]): FeedElement[] =>
  path.reduce<FeedElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    from === undefined ? [] : [from],
  );

/** Returns the text at a path of names; '' if there is none. */
export const textAt = (from: FeedElement | undefined, ...path: string[]): string =>
  elements(from, ...path)[0]?.text.trim() ?? '';
