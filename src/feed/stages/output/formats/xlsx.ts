import { join, name, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import { replaced } from '#engine/duckdb/replaced.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { stripped, typedKind, type OutputColumn } from '#feed/stages/output/cells.ts';
import { lines, type Serializer } from '#feed/stages/output/copy.ts';
import { allowedText } from '#feed/stages/output/characters.ts';
import type { GrowingFile } from '#feed/stages/output/growing-file.ts';
import { allText } from '#feed/stages/output/lists.ts';
import { cellsOf, type Cell } from './csv.ts';
import { ampersandAndLess, escapeText, markup } from './xml-text.ts';
import { cellLimit, XLSX } from './xlsx-limits.ts';
import { writeZip } from './zip.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A text cell in Excel's notation for the result of a formula: half as long as `inlineStr`, and read the same way. */
const open = '<c t="str"><v>';
/** Without this attribute Excel drops blanks around a text. */
const openPreserved = '<c t="str"><v xml:space="preserve">';
const close = '</v></c>';
/** Follows a cell whose text may have been cut, because at least half of what a cell can hold remains. No text contains it. */
const cutMark = '\r';

/** Writes the sheet of a workbook: a row for each item, texts directly in the cells, numbers only in number columns. */
export function sheetSerializer(columns: readonly OutputColumn[], format: OutputFormat): Serializer {
  const cells = cellsOf(columns);
  const usual = cells.map(({ text, column }) =>
    isOneText(column, format) ? textCell(column) : column.list ? wordsCell(cellLimit(text, 'xlsx')) : numberCell(text),
  );
  const head = cells.map(({ name }) => `${openPreserved}${headText(name)}${close}`);
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  return lines(
    duck`CASE WHEN ${awkwardItem(columns, format)} THEN ${rowOf(awkwardCells(cells, format))} ELSE ${rowOf(join(usual, duck`, `))} END`,
    {
      prefix: `${declaration}<worksheet xmlns="${main}">${format.header ? `${frozen}<sheetData>\n<row>${head.join('')}</row>` : '<sheetData>'}\n`,
      suffix: '\n</sheetData></worksheet>\n',
    },
  );
}

const rowOf = (cells: Sql) => duck`concat('<row>', ${cells}, '</row>')`;

/** Whether a column's cells are plain texts of the items, as most are. */
const isOneText = (column: OutputColumn, format: OutputFormat): boolean =>
  !column.list && typedKind(column, format) !== 'number';

/** A text cell of an item that is not awkward. Anything below '!' is a blank here, as are the three tested at the end. */
function textCell({ column }: OutputColumn): Sql {
  const text = name(column);
  const escaped = ampersandAndLess(text);
  const spaced = duck`${text} < '!' OR suffix(${text}, ' ') OR suffix(${text}, chr(10)) OR suffix(${text}, chr(9))`;
  return duck`CASE
    WHEN ${text} IS NULL THEN '<c/>'
    WHEN ${spaced} THEN concat(${ownText(openPreserved)}, ${escaped}, ${ownText(close)})
    WHEN contains(${text}, '<') OR contains(${text}, '&') THEN concat(${ownText(open)}, ${escaped}, ${ownText(close)})
    ELSE concat(${ownText(open)}, ${text}, ${ownText(close)}) END`;
}

/** A cell of a list column, or of a text in a number column. */
const wordsCell = (text: Sql) =>
  preserved(
    duck`CASE WHEN contains(${text}, '<') OR contains(${text}, '&') THEN ${ampersandAndLess(text)} ELSE ${text} END`,
  );
const numberCell = (text: Sql) =>
  duck`CASE WHEN ${isNumber(text)} THEN '<c><v>' || ${text} || '</v></c>' ELSE ${wordsCell(text)} END`;
const preserved = (text: Sql) => duck`coalesce(${ownText(openPreserved)} || ${text} || ${ownText(close)}, '<c/>')`;
/** Excel keeps fifteen digits of a number. */
const isNumber = (text: Sql) =>
  duck`strlen(${text}) <= 16 AND regexp_full_match(${text}, '-?(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]+)?')`;

/** The cells of an awkward item. Such items are few, and thirty separate expressions would take longer to plan than to run. */
function awkwardCells(cells: readonly Cell[], format: OutputFormat): Sql {
  const numbers = cells.flatMap(({ column }, index) =>
    !column.list && typedKind(column, format) === 'number' ? [ownNumber(index + 1)] : [],
  );
  const texts = duck`list_value(${join(
    cells.map(({ text }) => text),
    duck`, `,
  )})`;
  const clean = duck`list_transform(${texts}, lambda t: ${allowedText(duck`t`, 'xlsx')})`;
  const cut = duck`list_transform(${clean}, lambda t: ${cellLimit(duck`t`, 'xlsx')})`;
  const words = duck`concat(${preserved(anyText(duck`t`))}, CASE WHEN strlen(t) >= ${ownNumber(Math.floor(XLSX.characters / 2))} THEN ${ownText(cutMark)} ELSE '' END)`;
  const written =
    numbers.length === 0
      ? duck`lambda t: ${words}`
      : duck`lambda t, i: CASE WHEN i IN (${join(numbers, duck`, `)}) AND ${isNumber(duck`t`)} THEN '<c><v>' || t || '</v></c>' ELSE ${words} END`;
  return duck`array_to_string(list_transform(${cut}, ${written}), '')`;
}

/** An item of which a serialized cell may contain more than markup: character references and the channel's values appear late. */
function awkwardItem(columns: readonly OutputColumn[], format: OutputFormat): Sql {
  const late = columns
    .filter((column) => stripped(column, format) || column.field?.values?.some(({ value }) => value.includes('_x')))
    .map(({ column, list }) => (list ? allText(name(column)) : name(column)))
    .map((text) => duck`coalesce(contains(${text}, ']]>') OR contains(${text}, '_x'), false)`);
  return join([duck`_awkward`, ...late], duck` OR `);
}

/** `_x0041_` is a workbook's escape for a character that XML cannot hold; a text that contains it must not be read as one. */
function anyText(text: Sql): Sql {
  const safe = duck`CASE WHEN contains(${text}, '_x') THEN regexp_replace(${text}, '_(x[0-9A-Fa-f]{4})', '_x005F_\\1', 'g') ELSE ${text} END`;
  // Most cells of an awkward item contain none of these.
  const some = ['&', '<', '>', '\r', '_x'].map((one) => duck`contains(${text}, ${ownText(one)})`);
  return duck`CASE WHEN ${join(some, duck` OR `)} THEN ${replaced(markup(safe), duck`chr(13)`, duck`'_x000D_'`)} ELSE ${text} END`;
}

const headText = (name: string) =>
  escapeText(name.replaceAll(/_(?=x[\dA-Fa-f]{4})/gu, '_x005F_')).replaceAll('&#13;', '_x000D_');

const relation = (id: string, type: string, target: string) =>
  `<Relationships xmlns="${packageRelations}"><Relationship Id="${id}" Type="${officeRelations}/${type}" Target="${target}"/></Relationships>`;
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
  '_rels/.rels': relation('rId1', 'officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets><sheet name="Export" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
};

/** Packs a sheet into a workbook while it is written. Returns whether texts may be cut: rarely so, and finding them is slow. */
export async function packWorkbook(sheet: GrowingFile, target: string, signal?: AbortSignal): Promise<boolean> {
  let cut = false;
  const look = (block: Buffer) => {
    cut ||= block.includes(cutMark);
  };
  const small = Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(declaration + content) }));
  await writeZip(target, [...small, { name: 'xl/worksheets/sheet1.xml', content: { file: sheet, look } }], signal);
  return cut;
}
