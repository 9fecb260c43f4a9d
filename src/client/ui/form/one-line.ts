/** What stands for a line break in a field of one line. */
const MARKS = [
  ['\n', '↵'],
  ['\r', '␍'],
] as const;

/** Returns a text as a field of one line shows it: browsers drop line breaks there, and with them a part of the value. */
export const asOneLine = (text: string): string =>
  MARKS.reduce((shown, [lineBreak, mark]) => shown.replaceAll(lineBreak, mark), text);

/** Returns the text that a field of one line shows. */
export const fromOneLine = (shown: string): string =>
  MARKS.reduce((text, [lineBreak, mark]) => text.replaceAll(mark, lineBreak), shown);

/** What the marks in such a field mean; undefined if it has none. */
export const oneLineHint = (text: string): string | undefined =>
  asOneLine(text) === text ? undefined : '↵ steht für einen Zeilenumbruch';

type OneLineProps = {
  value: string;
  title: string | undefined;
  onChange: (event: { currentTarget: { value: string } }) => void;
};

/** The props of an `<input>` whose text may have line breaks. */
export const oneLine = (text: string, onText: (text: string) => void): OneLineProps => ({
  value: asOneLine(text),
  title: oneLineHint(text),
  onChange: ({ currentTarget }) => onText(fromOneLine(currentTarget.value)),
});
