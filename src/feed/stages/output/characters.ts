import { join, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { filled } from '#engine/duckdb/once.ts';
import { XLSX } from '#feed/stages/output/formats/xlsx-limits.ts';

const controls = String.raw`\x00-\x08\x0b\x0c\x0e-\x1f`;
/** XML 1.0 cannot represent these characters. */
const xml = String.raw`${controls}\x{fffe}\x{ffff}`;

/** Characters that a file kind cannot hold, as part of an RE2 class; JSON can escape every one. */
const forbidden: Readonly<Record<OutputFormat['kind'], string | undefined>> = {
  csv: controls,
  xml,
  xlsx: xml,
  json: undefined,
  jsonl: undefined,
};

/** A text without the characters that the file kind cannot hold; missing if nothing else remains. */
export function allowedText(text: Sql, kind: OutputFormat['kind']): Sql {
  const characters = forbidden[kind];
  if (characters === undefined) return text;
  const pattern = ownText(`[${characters}]`);
  return duck`CASE WHEN regexp_matches(${text}, ${pattern}) THEN ${without(text, characters)} ELSE ${text} END`;
}

/** Removes them from a text that is known to contain some. */
export function withoutForbidden(text: Sql, kind: OutputFormat['kind']): Sql {
  return without(text, forbidden[kind] ?? xml);
}

const without = (text: Sql, characters: string) =>
  filled(duck`regexp_replace(${text}, ${ownText(`[${characters}]+`)}, '', 'g')`);

/** The same characters as code points. */
const each = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const controlCodes = [...each(0x00, 0x08), 0x0b, 0x0c, ...each(0x0e, 0x1f)];
const awkwardCodes: Readonly<Record<OutputFormat['kind'], readonly number[]>> = {
  csv: controlCodes,
  xml: [...controlCodes, 0x0d, 0xfffe, 0xffff],
  xlsx: [...controlCodes, 0x0d, 0xfffe, 0xffff],
  json: [],
  jsonl: [],
};

/**
 * Whether a text needs special serialization: it contains forbidden characters or, in XML, text that no CDATA section can hold (a
 * carriage return would be read as a line feed). Thirty searches for a character take a fifth of the time of one pattern.
 * undefined: no text needs it.
 */
export function needsEscaping(text: Sql, kind: OutputFormat['kind']): Sql | undefined {
  const codes = awkwardCodes[kind];
  if (codes.length === 0) return undefined;
  const tests = codes.map((code) => duck`contains(${text}, chr(${ownNumber(code)}))`);
  // Text that a workbook reads as an escaped character, and texts that may be too long for a cell.
  const spelled =
    kind === 'xlsx' ? [duck`contains(${text}, '_x')`, duck`strlen(${text}) > ${ownNumber(XLSX.characters)}`] : [];
  return join(kind === 'csv' ? tests : [...tests, ...spelled, duck`contains(${text}, ']]>')`], duck` OR `);
}
