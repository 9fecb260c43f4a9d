import { join, sql, type Sql } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';
import { cellText, lines, type OutputColumn, type Spelling } from './cells.ts';

const googleNamespace = 'http://base.google.com/ns/1.0';
/** RSS has these three itself; Google reads them without its prefix. */
const rssElements = new Set(['title', 'link', 'description']);

/** XML 1.0, one element an item; a missing value leaves its element out. Google: RSS 2.0 with the g: namespace. */
export function xmlSpelling(columns: readonly OutputColumn[], format: OutputFormat, title: string): Spelling {
  const google = format.style === 'google';
  const item = google ? 'item' : elementName(format.item, 'item');
  const root = elementName(format.root, 'items');
  const declaration = `<?xml version="1.0" encoding="${encodingNames[format.encoding]}"?>\n`;
  const texts = columns.map((column) => ({ column, text: cellText(column, format.decimal) }));
  const elements = (spell: (text: Sql) => Sql) => {
    const cells = texts.map(({ column, text }) => {
      const element = google ? googleName(column.name) : elementName(column.name, 'feld');
      return sql`${`<${element}>`} || ${spell(text)} || ${`</${element}>`}`;
    });
    return sql`concat(${join([sql`${`<${item}>`}`, ...cells, sql`${`</${item}>`}`], sql`, `)})`;
  };
  const all = join([sql`''`, ...texts.map(({ text }) => text)], sql`, `);
  const content = sql`CASE WHEN regexp_matches(concat(${all}), ${awkward}) THEN ${elements(escaped)} ELSE ${elements(inSection)} END`;
  return lines(content, {
    prefix: google
      ? `${declaration}<rss version="2.0" xmlns:g="${googleNamespace}">\n<channel>\n<title>${escapeText(title)}</title>\n<link/>\n<description/>\n`
      : `${declaration}<${root}>\n`,
    suffix: google ? '\n</channel>\n</rss>\n' : `\n</${root}>\n`,
  });
}

const encodingNames: Readonly<Record<OutputFormat['encoding'], string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8',
  'utf-16le': 'UTF-16',
  'windows-1252': 'windows-1252',
  'iso-8859-1': 'ISO-8859-1',
  'iso-8859-15': 'ISO-8859-15',
};

/** Characters that XML 1.0 has no spelling for. */
const forbidden = String.raw`\x00-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}`;
/** What a CDATA section cannot hold either: a carriage return would be read as a line feed. */
const awkward = String.raw`[\r${forbidden}]|\]\]>`;

/** A text with markup goes out in a CDATA section, as feeds with HTML do: escaping its every angle bracket costs ten times more. */
function inSection(text: Sql): Sql {
  return sql`CASE WHEN contains(${text}, '<') OR contains(${text}, '&') THEN '<![CDATA[' || ${text} || ']]>' ELSE ${text} END`;
}

/** The few items that no CDATA section can hold. */
function escaped(text: Sql): Sql {
  const allowed = sql`regexp_replace(${text}, ${`[${forbidden}]`}, '', 'g')`;
  return sql`replace(replace(replace(replace(${allowed}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), chr(13), '&#13;')`;
}

const escapeText = (text: string) =>
  text
    // eslint-disable-next-line no-control-regex -- exactly the characters that XML forbids
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** A field's name as an element: what XML does not allow becomes '_'. One colon may divide prefix and name. */
export function elementName(field: string, fallback: string): string {
  const clean = field
    .trim()
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '_')
    .replace(/^(?=[^\p{L}_])/u, '_');
  return clean === '' || clean === '_' ? fallback : clean;
}

function googleName(field: string): string {
  const bare = field.replace(/^g:/i, '');
  const element = elementName(bare, 'feld');
  return field === bare && rssElements.has(bare) ? element : `g:${element}`;
}
