import { SaxesParser } from 'saxes';

/** An element of a feed: its text, or the elements in it. */
export type FeedElement = {
  name: string;
  text: string;
  attributes: Readonly<Record<string, string>>;
  children: FeedElement[];
};

/** The root of a document; undefined: it is not well formed. */
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

/** All elements below one that lie at the end of a path of names. */
export const elements = (from: FeedElement | undefined, ...path: string[]): FeedElement[] =>
  path.reduce<FeedElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    from === undefined ? [] : [from],
  );

/** The text at the end of a path; '' where there is none. */
export const textAt = (from: FeedElement | undefined, ...path: string[]): string =>
  elements(from, ...path)[0]?.text.trim() ?? '';
