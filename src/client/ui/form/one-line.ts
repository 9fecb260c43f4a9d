/** What stands for a line break in a field of one line, as in the sentences of the history. */
const MARK = '⏎';
const lineBreak = /\r\n|\r|\n/g;
const markOrBreak = /\r\n|\r|\n|⏎/g;

/** Returns a text as a field of one line shows it: browsers drop line breaks there, and with them a part of the value. */
export const asOneLine = (text: string): string => text.replaceAll(lineBreak, MARK);

/**
 * Returns the text that a field of one line shows. What was not edited stays as it was before, be it a line break of another kind
 * or the mark itself; a mark in what was edited is a line break of the first kind.
 */
export function fromOneLine(shown: string, before: string): string {
  const was = asOneLine(before);
  const kinds = before.match(markOrBreak) ?? [];
  const usual = kinds.find((kind) => kind !== MARK) ?? '\n';
  const start = sameLength(was, shown);
  const end = Math.min(sameLength(reversed(was), reversed(shown)), Math.min(was.length, shown.length) - start);
  const marks = (text: string) => text.split(MARK).length - 1;
  const edited = shown.slice(start, shown.length - end);
  const kept = [...kinds.slice(0, marks(was.slice(0, start))), ...Array.from({ length: marks(edited) }, () => usual)];
  const all = [...kept, ...kinds.slice(kinds.length - marks(was.slice(was.length - end)))];
  let index = 0;
  return shown.replaceAll(MARK, () => all[index++] ?? usual);
}

const reversed = (text: string): string => text.split('').toReversed().join('');

/** The number of characters with which both texts begin. */
function sameLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

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
