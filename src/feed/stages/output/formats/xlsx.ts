import { join, name, duck, type Sql } from '#platform/duckdb/sql.ts';
import { replaced } from '#engine/duckdb/replaced.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { stripped, typedKind, type OutputColumn } from '#feed/stages/output/cells.ts';
import { between, holdsMarkup, lines, markupFlags, type Serializer } from '#feed/stages/output/copy.ts';
import { allText } from '#feed/stages/output/lists.ts';
import { cellsOf } from './csv.ts';
import { ampersandAndLess, escapeText, markup } from './xml-text.ts';
import { cellLimit } from './xlsx-limits.ts';
import { writeZip } from './zip.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The sheet of a workbook: a row an item, texts in the cells themselves, numbers only in columns that are meant to be. */
export function sheetSerializer(columns: readonly OutputColumn[], format: OutputFormat): Serializer {
  const cells = cellsOf(columns);
  const row = (all: boolean) => {
    const written = cells.flatMap(({ text, column }) => {
      if (!all && isOneText(column, format)) return cellParts(column);
      const limited = column.list ? cellLimit(text, 'xlsx') : text;
      return cell(limited, typedKind(column, format) === 'number' && !column.list, all);
    });
    return duck`concat(${join([duck`'<row>'`, ...written, duck`'</row>'`], duck`, `)})`;
  };
  const head = cells.map(({ name }) => `<c t="inlineStr"><is><t xml:space="preserve">${headText(name)}</t></is></c>`);
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  const plain = columns.filter((column) => isOneText(column, format));
  return lines(duck`CASE WHEN ${awkwardItem(columns, format)} THEN ${row(true)} ELSE ${row(false)} END`, {
    ...markupFlags(plain.map(({ column }) => column)),
    prefix: `${declaration}<worksheet xmlns="${main}">${format.header ? `${frozen}<sheetData>\n<row>${head.join('')}</row>` : '<sheetData>'}\n`,
    suffix: '\n</sheetData></worksheet>\n',
  });
}

/** Whether a column's cells are texts as they stand in the items, as most are. */
const isOneText = (column: OutputColumn, format: OutputFormat): boolean =>
  !column.list && typedKind(column, format) !== 'number';

/** Such a cell as parts of a line's text. */
function cellParts({ column }: OutputColumn): Sql[] {
  const text = name(column);
  return between(text, duck`CASE WHEN ${holdsMarkup(column)} THEN ${ampersandAndLess(text)} ELSE ${text} END`, {
    open: duck`'<c t="inlineStr"><is><t xml:space="preserve">'`,
    close: duck`'</t></is></c>'`,
    missing: '<c/>',
  });
}

function cell(text: Sql, number: boolean, all: boolean): Sql {
  const words = duck`'<c t="inlineStr"><is><t xml:space="preserve">' || ${cellText(text, all)} || '</t></is></c>'`;
  const other = duck`coalesce(${words}, '<c/>')`;
  if (!number) return other;
  // Excel keeps fifteen digits of a number.
  const fits = duck`strlen(${text}) <= 16 AND regexp_full_match(${text}, '-?(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]+)?')`;
  return duck`CASE WHEN ${fits} THEN '<c><v>' || ${text} || '</v></c>' ELSE ${other} END`;
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
function cellText(text: Sql, all: boolean): Sql {
  if (!all)
    return duck`CASE WHEN contains(${text}, '<') OR contains(${text}, '&') THEN ${ampersandAndLess(text)} ELSE ${text} END`;
  const safe = duck`CASE WHEN contains(${text}, '_x') THEN regexp_replace(${text}, '_(x[0-9A-Fa-f]{4})', '_x005F_\\1', 'g') ELSE ${text} END`;
  return replaced(markup(safe), duck`chr(13)`, duck`'_x000D_'`);
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

/** Packs a sheet into a workbook. */
export async function packWorkbook(sheet: string, target: string, signal?: AbortSignal): Promise<void> {
  const small = Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(declaration + content) }));
  await writeZip(target, [...small, { name: 'xl/worksheets/sheet1.xml', content: { file: sheet } }], signal);
}
