/** Several addresses of pictures in one value stand one per line, or behind a comma or bar. */
export function addressesOf(value: string): string[] {
  return value
    .split(/[\n,|]\s*(?=https?:)|\n/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

/** The address whose picture a cell shows. */
export const firstAddress = (value: string): string => addressesOf(value)[0] ?? '';
