/** Before the beginning of the next address. What may stand in front of it, separatorsEnd takes away: runs of marks searched by a pattern cost their square. */
const beforeNext = /\n|[\s,;|](?=(?:https?:)?\/\/[^\s/])/i;

/**
 * Several addresses of pictures in one value stand one per line, as a list of JSON, or behind a comma, semicolon, bar or blanks.
 * Such marks part only where an address follows; within one they belong to it.
 */
export function addressesOf(value: string): string[] {
  const parts = listedTexts(value) ?? value.split(beforeNext);
  return parts.map((part) => part.slice(0, separatorsEnd(part)).trim()).filter((address) => address !== '');
}

/** The address whose picture a cell shows. */
export const firstAddress = (value: string): string => addressesOf(value)[0] ?? '';

/** Where this server shows the picture at an address that stands in the data; `mark` came with the value. */
export const picturePath = (address: string, mark: string): string =>
  `/api/pictures?${new URLSearchParams({ address, mark }).toString()}`;

/** Where a part's marks at its end begin. */
function separatorsEnd(part: string): number {
  let end = part.length;
  while (end > 0 && /[\s,;|]/.test(part.charAt(end - 1))) end -= 1;
  return end;
}

/** The texts of a list as programs write it: `["https://…","https://…"]`; undefined: the value is none. */
function listedTexts(value: string): string[] | undefined {
  if (!/^\s*\[\s*["\]]/.test(value)) return undefined;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
