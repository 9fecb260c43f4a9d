import { join, name, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { atomFeed } from './atom.ts';
import { stripped, type OutputColumn } from '#feed/stages/output/cells.ts';
import { between, holdsMarkup, lines, markupFlags, type Serializer } from '#feed/stages/output/copy.ts';
import { allText, entryAt } from '#feed/stages/output/lists.ts';
import { filled } from '#engine/duckdb/once.ts';
import { elementName, escaped, escapeText, inReferences, inSection } from './xml-text.ts';

const googleNamespace = 'http://base.google.com/ns/1.0';
/** RSS has these three itself; Google reads them without its prefix. */
const rssElements = new Set(['title', 'link', 'description']);

/** Facts in a feed's head; `updated` is when its catalogue last changed, so that equal items produce equal files. */
export type FeedFacts = { readonly title: string; readonly id: string; readonly updated: Date };

/** The text around the items, the text in each item before its fields, and the element name of a field. */
export type XmlFrame = {
  readonly open: string;
  readonly close: string;
  readonly item: string;
  readonly first: Sql;
  readonly element: (field: string) => string;
};

/**
 * Writes XML 1.0, one element for each item. A missing value has no element, a list repeats it, and named entries are child
 * elements. google: RSS 2.0, atom: Atom 1.0, both with the g: namespace.
 */
export function xmlSerializer(columns: readonly OutputColumn[], format: OutputFormat, facts: FeedFacts): Serializer {
  const frame = frameOf(columns, format, facts);
  const itemOf = (elements: readonly Sql[]) => {
    const parts = [duck`${`<${frame.item}>`}`, frame.first, ...elements, duck`${`</${frame.item}>`}`];
    return duck`concat(${join(parts, duck`, `)})`;
  };
  const item = (serialize: (text: Sql) => Sql) =>
    itemOf(columns.map((column) => elementsOf(column, frame, format, serialize)));
  const narrow = isNarrow(format);
  const isPlain = (column: OutputColumn) => !narrow && isOneText(column, format);
  const usual = itemOf(
    columns.flatMap((column) =>
      isPlain(column)
        ? sectionParts(column, frame)
        : [elementsOf(column, frame, format, narrow ? inReferences : inSection)],
    ),
  );
  // Character references in HTML may resolve to characters that the item did not contain before.
  const late = columns
    .filter((column) => stripped(column, format))
    .map(({ column, list }) => {
      const text = list ? allText(name(column)) : name(column);
      return duck`coalesce(contains(${text}, ']]>'), false)`;
    });
  const awkward = join([duck`_awkward`, ...late], duck` OR `);
  return lines(duck`CASE WHEN ${awkward} THEN ${item(escaped)} ELSE ${usual} END`, {
    ...markupFlags(columns.filter(isPlain).map(({ column }) => column)),
    prefix: `<?xml version="1.0" encoding="${encodingNames[format.encoding]}"?>\n${frame.open}\n`,
    suffix: `\n${frame.close}\n`,
  });
}

/** Fields with different names but the same element: readers of the file would take them for one. */
export function clashingFields(
  columns: readonly OutputColumn[],
  format: OutputFormat,
  facts: FeedFacts,
): { element: string; fields: string[] }[] {
  const { element } = frameOf(columns, format, facts);
  const names = new Set(columns.map(({ name }) => name));
  return [...Map.groupBy(names, element)]
    .filter(([, fields]) => fields.length > 1)
    .map(([shared, fields]) => ({ element: shared, fields }));
}

/** Whether the file's encoding lacks characters. */
const isNarrow = ({ encoding }: OutputFormat): boolean => !encoding.startsWith('utf-');

function frameOf(columns: readonly OutputColumn[], format: OutputFormat, facts: FeedFacts): XmlFrame {
  const narrow = isNarrow(format);
  const bareName = (field: string) => elementName(field.replace(/^g:/i, ''), 'feld', narrow);
  const prefixed = (field: string) => `g:${bareName(field)}`;
  if (format.style === 'atom') return atomFeed(columns, facts, googleNamespace, prefixed);
  if (format.style === 'google') {
    return {
      open: `<rss version="2.0" xmlns:g="${googleNamespace}">\n<channel>\n<title>${escapeText(facts.title)}</title>\n<link/>\n<description/>`,
      close: '</channel>\n</rss>',
      item: 'item',
      first: duck`''`,
      element: (field) => (rssElements.has(field) ? field : prefixed(field)),
    };
  }
  const root = elementName(format.root, 'items', narrow);
  return {
    open: `<${root}>`,
    close: `</${root}>`,
    item: elementName(format.item, 'item', narrow),
    first: duck`''`,
    element: (field) => elementName(field, 'feld', narrow),
  };
}

/** Whether a field's element contains a single text, as most do. */
const isOneText = ({ list, field }: OutputColumn, { style }: OutputFormat): boolean =>
  !list && (style === 'generic' || field?.parts === undefined);

/** Such an element as parts of the item's text, with markup in a CDATA section; nothing if the field is empty. */
function sectionParts({ name: field, column }: OutputColumn, frame: XmlFrame): Sql[] {
  const element = frame.element(field);
  const either = (section: string, plain: string) =>
    duck`CASE WHEN ${holdsMarkup(column)} THEN ${section} ELSE ${plain} END`;
  return between(name(column), name(column), {
    open: either(`<${element}><![CDATA[`, `<${element}>`),
    close: either(`]]></${element}>`, `</${element}>`),
  });
}

/** A field's elements; NULL if nothing is filled. */
function elementsOf(
  { name: field, column, list, field: known }: OutputColumn,
  frame: XmlFrame,
  format: OutputFormat,
  serialize: (text: Sql) => Sql,
): Sql {
  const cell = name(column);
  const element = frame.element(field);
  const inside = format.style === 'generic' ? undefined : known?.parts;
  const content = (text: Sql) => (inside ? inParts(text, inside.map(frame.element), serialize) : serialize(text));
  if (!list) return around(element, content(cell));
  const { keys } = list;
  if (keys === null)
    return duck`array_to_string(list_transform(${cell}, lambda e: ${around(element, content(duck`e`))}), '')`;
  const children = keys.map((key, index) => {
    const child = frame.element(key);
    return around(child, serialize(entryAt(cell, index)));
  });
  return around(element, filled(duck`concat(${join([duck`''`, ...children], duck`, `)})`));
}

const around = (element: string, text: Sql): Sql => duck`${`<${element}>`} || ${text} || ${`</${element}>`}`;

/**
 * A value of parts, `DE::Standard:4.95 EUR`, as one element each. Empty parts are left out, and the last part takes all that
 * follows. A value without a colon has no parts and stays as it is.
 */
function inParts(text: Sql, elements: readonly string[], serialize: (text: Sql) => Sql): Sql {
  const parts = elements.map((element, index) => {
    const from = ownNumber(index + 1);
    const part =
      index === elements.length - 1
        ? duck`array_to_string(string_split(${text}, ':')[${from}:], ':')`
        : duck`split_part(${text}, ':', ${from})`;
    return duck`CASE WHEN ${part} = '' THEN '' ELSE ${around(element, serialize(part))} END`;
  });
  return duck`CASE WHEN contains(${text}, ':') THEN concat(${join(parts, duck`, `)}) ELSE ${serialize(text)} END`;
}

const encodingNames: Readonly<Record<OutputFormat['encoding'], string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8',
  'utf-16le': 'UTF-16',
  'windows-1252': 'windows-1252',
  'iso-8859-1': 'ISO-8859-1',
  'iso-8859-15': 'ISO-8859-15',
};
