/** The first bytes of .xlsx and .ods, which are ZIP archives, and of .xls. */
const marks: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  // An empty archive.
  [0x50, 0x4b, 0x05, 0x06],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Tells by its first bytes whether a file may be a workbook; any other ZIP archive counts too. */
export const isWorkbook = (bytes: Uint8Array): boolean =>
  marks.some((mark) => mark.every((byte, at) => bytes[at] === byte));

/**
 * Stands behind a cell that is a number with three decimals, in a table for a reader of amounts: as a text, 1.125 may also mean a
 * thousand. Unicode gives this character to nobody.
 */
export const NUMBER_MARK = '\uE000';

const MOST_NAMED = 10;

/** Returns a sentence for people on the sheets with data that were not read. `others`: their names, at least one. */
export function sheetsLeftText(sheet: string, others: readonly string[]): string {
  const named = others.slice(0, MOST_NAMED).map((name) => `„${name}“`);
  const more = others.length > MOST_NAMED ? ` und ${others.length - MOST_NAMED} weiteren` : '';
  return `Gelesen wurde das Tabellenblatt „${sheet}“. Daten stehen auch in ${named.join(', ')}${more}: Falls ein anderes gemeint ist, speichern Sie es bitte als eigene Datei.`;
}
