/** What stands for a line break in a field of one line, as in the sentences of the history. */
const MARK = '⏎';
const lineBreak = /\r\n|\r|\n/g;

/** Returns a text as a field of one line shows it: browsers drop line breaks there, and with them a part of the value. */
export const asOneLine = (text: string): string => text.replaceAll(lineBreak, MARK);

/** Returns the text that a field of one line shows, with line breaks of the kind that the text had before. */
export const fromOneLine = (shown: string, before: string): string =>
  shown.replaceAll(MARK, before.match(lineBreak)?.[0] ?? '\n');

/** What the marks in such a field mean; undefined if it has none. */
export const oneLineHint = (text: string): string | undefined =>
  asOneLine(text) === text ? undefined : `${MARK} steht für einen Zeilenumbruch`;

type OneLineProps = {
  value: string;
  title: string | undefined;
  onChange: (event: { currentTarget: { value: string } }) => void;
};

/** The props of an `<input>` whose text may have line breaks. */
export const oneLine = (text: string, onText: (text: string) => void): OneLineProps => ({
  value: asOneLine(text),
  title: oneLineHint(text),
  onChange: ({ currentTarget }) => onText(fromOneLine(currentTarget.value, text)),
});
