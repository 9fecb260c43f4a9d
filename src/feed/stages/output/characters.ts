import { join, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { filled } from '#engine/duckdb/once.ts';
import { XLSX } from '#feed/stages/output/formats/xlsx-limits.ts';

const controls = String.raw`\x00-\x08\x0b\x0c\x0e-\x1f`;
/** XML 1.0 has no spelling for these. */
const xml = String.raw`${controls}\x{fffe}\x{ffff}`;

/** Characters that a kind of file cannot hold, as part of an RE2 class; JSON has a spelling for every one. */
const forbidden: Readonly<Record<OutputFormat['kind'], string | undefined>> = {
  csv: controls,
  xml,
  xlsx: xml,
  json: undefined,
  jsonl: undefined,
};

/** A text without what the kind of file cannot hold; one that had nothing else is missing. */
export function allowedText(text: Sql, kind: OutputFormat['kind']): Sql {
  const characters = forbidden[kind];
  if (characters === undefined) return text;
  const pattern = ownText(`[${characters}]`);
  return duck`CASE WHEN regexp_matches(${text}, ${pattern}) THEN ${without(text, characters)} ELSE ${text} END`;
}

/** The same for a text of which it is known that it holds such characters. */
export function withoutForbidden(text: Sql, kind: OutputFormat['kind']): Sql {
  return without(text, forbidden[kind] ?? xml);
}

const without = (text: Sql, characters: string) =>
  filled(duck`regexp_replace(${text}, ${ownText(`[${characters}]+`)}, '', 'g')`);

/** The same characters one by one. */
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
 * Whether a text needs more than the usual way of writing it: it holds something forbidden, or in XML what no CDATA section
 * can hold (a carriage return would be read as a line feed). Thirty searches for a character take a fifth of the time of one
 * pattern. undefined: there is no such text.
 */
export function isAwkward(text: Sql, kind: OutputFormat['kind']): Sql | undefined {
  const codes = awkwardCodes[kind];
  if (codes.length === 0) return undefined;
  const tests = codes.map((code) => duck`contains(${text}, chr(${ownNumber(code)}))`);
  // What a workbook takes for the spelling of a character, and where a text may be too long for a cell.
  const spelled =
    kind === 'xlsx' ? [duck`contains(${text}, '_x')`, duck`strlen(${text}) > ${ownNumber(XLSX.characters)}`] : [];
  return join(kind === 'csv' ? tests : [...tests, ...spelled, duck`contains(${text}, ']]>')`], duck` OR `);
}
