/** Several addresses in one value stand one per line, or behind a comma or bar; the first is shown. */
export function firstAddress(value: string): string {
  return value.split(/[\n,|]\s*(?=https?:)|\n/)[0]?.trim() ?? '';
}
