/** Several addresses of pictures in one value stand one per line, or behind a comma or bar. */
export function addressesOf(value: string): string[] {
  return value
    .split(/[\n,|]\s*(?=https?:)|\n/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

/** The address whose picture a cell shows. */
export const firstAddress = (value: string): string => addressesOf(value)[0] ?? '';

/** Where this server shows the picture at an address that stands in the data; `mark` came with the value. */
export const picturePath = (address: string, mark: string): string =>
  `/api/pictures?${new URLSearchParams({ address, mark }).toString()}`;
