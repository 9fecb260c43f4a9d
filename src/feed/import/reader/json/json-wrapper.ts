/** What stands before JSON that browsers are meant to run: a call (JSONP), an assignment, or a guard that keeps other pages from running it. */
const OPENING = String.raw`\)\]\}',?|while\s*\(1\);|for\s*\(;;\);|(?:\/\*[^*]{0,200}\*\/\s*)?[\w$.]{1,100}\s*\(|(?:(?:var|let|const)\s+)?[\w$.]{1,100}\s*=`;
/** Of the data so much must follow that it can be nothing else: a list of objects, or an object with a member. */
const wrapper = new RegExp(
  String.raw`^[\s\ufeff]*(?:${OPENING})\s*(?=\[\s*\{\s*"[^"\n]*"\s*:|\{\s*"[^"\n]*"\s*:)`,
  'u',
);

/** The program text before the JSON of a file that begins so; '' where there is none. */
export const wrapperOf = (head: string): string => wrapper.exec(head.slice(0, 2000))?.[0] ?? '';
