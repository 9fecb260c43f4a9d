/** What stands before JSON that browsers are meant to run: a call (JSONP), an assignment, or a guard that keeps other pages from running it. */
const OPENING = String.raw`\)\]\}',?|while\s*\(1\);|for\s*\(;;\);|(?:\/\*[^*]{0,200}\*\/\s*)?[\w$.]{1,100}\s*\(|(?:(?:var|let|const)\s+)?[\w$.]{1,100}\s*=`;
/** Of the data so much must follow that it can be nothing else: a list of objects, or an object with a member. */
const wrapper = new RegExp(
  String.raw`^[\s\ufeff]*(?:${OPENING})\s*(?=\[\s*\{\s*"[^"\n]*"\s*:|\{\s*"[^"\n]*"\s*:)`,
  'u',
);

/** The program text before the JSON of a file that begins so; '' where there is none. */
export function wrapperOf(head: string): string {
  const before = wrapper.exec(head.slice(0, 2000))?.[0] ?? '';
  return before !== '' && isColumnName(head.slice(before.length)) ? '' : before;
}

/** Whether JSON is part of a column name: on its line, a delimiter and another name follow it. */
function isColumnName(text: string): boolean {
  const line = text.split(/[\r\n]/u, 1)[0] ?? '';
  let depth = 0;
  for (const { 0: part, index } of line.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gu)) {
    if (part.startsWith('"')) continue;
    depth += part === '[' || part === '{' ? 1 : -1;
    if (depth === 0) return /^\)?\s*[;,\t|]\s*"?[\p{L}_][^(=]*$/u.test(line.slice(index + 1));
  }
  return false;
}
