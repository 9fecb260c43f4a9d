import { integerText } from '#shared/values/integer-text.ts';
const blank = /^ *(?:\r\n|\n|\r)/;
/** A colour may begin with #; a comment has a space after it. */
const remark = /^#[ \t][^\r\n]*(?:\r\n|\n|\r)/;
/** The line that tells Excel the delimiter. */
const separator = /^"?sep=([;,\t|])"? *(?:\r\n|\n|\r)/i;
/** Comments that Google, Shopify and generators write above their lists. */
const known = /^# (?:Google[ _]Product[ _]Taxonomy|Shopify Product Taxonomy|Format: \{|Generated on: |Source: http)/;

/**
 * Removes the lines above a list that do not belong to it. `comments`: those of them that count as comments only because they are
 * no rows of the table below; in a list of plain lines they may be entries. `delimiter`: the one that a line names.
 */
export function withoutPreamble(text: string): { text: string; comments: string[]; delimiter: string | undefined } {
  const comments: string[] = [];
  let rest = text;
  for (;;) {
    const [empty] = blank.exec(rest) ?? [];
    const [line] = remark.exec(rest) ?? [];
    if (empty !== undefined) rest = rest.slice(empty.length);
    else if (line !== undefined && (known.test(line) || !isRow(line, rest.slice(line.length)))) {
      if (!known.test(line)) comments.push(line.trim());
      rest = rest.slice(line.length);
    } else return { text: rest.replace(separator, ''), comments, delimiter: separator.exec(rest)?.[1] };
  }
}

/** Whether a line may be the header or a row of what is below it: both have the same delimiter. */
function isRow(line: string, below: string): boolean {
  const next = below.trimStart();
  if (separator.test(next)) return false;
  const [following = ''] = next.split(/[\r\n]/, 1);
  return [';', ',', '\t', '|'].some((mark) => line.slice(1).includes(mark) && following.includes(mark));
}

const MOST_NAMED = 3;
const MOST_SHOWN = 80;

/** Warnings about comments that were left out. */
export function commentWarnings(comments: readonly string[]): string[] {
  const told = comments.filter((line) => !known.test(line));
  if (told.length === 0) return [];
  const named = told.slice(0, MOST_NAMED).map((line) => `„${line.slice(0, MOST_SHOWN)}“`);
  const more = told.length > MOST_NAMED ? ` und ${integerText(told.length - MOST_NAMED)} weitere` : '';
  return [
    `Was mit # beginnt, gilt hier als Bemerkung und ist kein Eintrag: ${named.join(', ')}${more}. Ist doch einer dabei, laden Sie die Liste bitte als Tabelle mit der Kopfzeile „ID;Name“ hoch.`,
  ];
}
