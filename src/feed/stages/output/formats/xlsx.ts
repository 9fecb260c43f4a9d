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

/** A text's cell as Excel spells the result of a formula: half as long as a text of its own (`inlineStr`), and read alike. */
const open = '<c t="str"><v>';
/** Excel drops blanks around a text that does not say so. */
const openPreserved = '<c t="str"><v xml:space="preserve">';
const close = '</v></c>';
/** Follows a cell whose text may have been cut: of one that was at least half of what a cell holds stays. No text holds one as such. */
const cutMark = '\r';

/** The sheet of a workbook: a row an item, texts in the cells themselves, numbers only in columns that are meant to be. */
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

/** Whether a column's cells are texts as they stand in the items, as most are. */
const isOneText = (column: OutputColumn, format: OutputFormat): boolean =>
  !column.list && typedKind(column, format) !== 'number';

/** Such a cell of an item that is not awkward. Anything below '!' is a blank here, and so are the three that a text may end with. */
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

/** A cell of another kind of column. */
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

/** The cells of an item that may hold anything. Few items are: as expressions of their own thirty cells would take longer to plan than to write. */
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

/** An item of which a cell, as it is spelled, may hold more than markup: character references and the channel's own values come late. */
function awkwardItem(columns: readonly OutputColumn[], format: OutputFormat): Sql {
  const late = columns
    .filter((column) => stripped(column, format) || column.field?.values?.some(({ value }) => value.includes('_x')))
    .map(({ column, list }) => (list ? allText(name(column)) : name(column)))
    .map((text) => duck`coalesce(contains(${text}, ']]>') OR contains(${text}, '_x'), false)`);
  return join([duck`_awkward`, ...late], duck` OR `);
}

/** `_x0041_` is how a workbook spells a character that XML cannot hold; a text that has it must not be taken for one. */
function anyText(text: Sql): Sql {
  const safe = duck`CASE WHEN contains(${text}, '_x') THEN regexp_replace(${text}, '_(x[0-9A-Fa-f]{4})', '_x005F_\\1', 'g') ELSE ${text} END`;
  // Most cells of an awkward item hold nothing of it.
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

/** Packs a sheet, while it is written, into a workbook. Tells whether it may hold texts that were cut: there are none in nearly every one, and finding them takes long. */
export async function packWorkbook(sheet: GrowingFile, target: string, signal?: AbortSignal): Promise<boolean> {
  let cut = false;
  const look = (block: Buffer) => {
    cut ||= block.includes(cutMark);
  };
  const small = Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(declaration + content) }));
  await writeZip(target, [...small, { name: 'xl/worksheets/sheet1.xml', content: { file: sheet, look } }], signal);
  return cut;
}
