/**
 * The separator before the next URL. Further marks before it are removed by separatorsEnd: a pattern for runs of marks takes
 * quadratic time.
 */
const beforeNext = /\n|[\s,;|](?=(?:https?:)?\/\/[^\s/])/i;

/**
 * Returns the picture URLs in a value: one per line, a JSON list, or separated by comma, semicolon, bar or blanks. Such marks
 * separate only before a URL; otherwise they belong to it.
 */
export function addressesOf(value: string): string[] {
  const parts = listedTexts(value) ?? value.split(beforeNext);
  return parts.map((part) => part.slice(0, separatorsEnd(part)).trim()).filter((address) => address !== '');
}

/** Returns the URL whose picture a cell shows. */
export const firstAddress = (value: string): string => addressesOf(value)[0] ?? '';

/** Returns the path at which this server serves the picture of a URL; `mark` is returned with the value. */
export const picturePath = (address: string, mark: string): string =>
  `/api/pictures?${new URLSearchParams({ address, mark }).toString()}`;

/** Returns where the trailing separators of a part begin. */
function separatorsEnd(part: string): number {
  let end = part.length;
  while (end > 0 && /[\s,;|]/.test(part.charAt(end - 1))) end -= 1;
  return end;
}

/** Returns the texts of a JSON list: `["https://…","https://…"]`; undefined if the value is none. */
function listedTexts(value: string): string[] | undefined {
  if (!/^\s*\[\s*["\]]/.test(value)) return undefined;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
