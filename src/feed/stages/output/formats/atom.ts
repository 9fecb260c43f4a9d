import { name, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputColumn } from '#feed/stages/output/cells.ts';
import { allowedText } from '#feed/stages/output/characters.ts';
import { escapeText, escaped, inAttribute } from './xml-text.ts';
import type { FeedFacts, XmlFrame } from './xml.ts';

/**
 * Atom 1.0 (RFC 4287). Every feed and entry needs an id, a title and a time, an entry a link or a content. They are made from the
 * item's number and the fields `title` and `link`, which are repeated in the g: namespace because channels look for them there.
 */
export function atomFeed(
  columns: readonly OutputColumn[],
  facts: FeedFacts,
  namespace: string,
  element: (field: string) => string,
): XmlFrame {
  const updated = facts.updated.toISOString();
  const open = [
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="${namespace}">`,
    `<title>${escapeText(facts.title)}</title>`,
    `<id>urn:kontor:export:${encodeURIComponent(facts.id)}</id>`,
    `<updated>${updated}</updated>`,
    `<author><name>${escapeText(facts.title)}</name></author>`,
  ].join('\n');
  const id = duck`'<id>urn:kontor:item:' || url_encode(_id) || '</id>'`;
  const title = duck`'<title>' || ${escaped(duck`coalesce(${fieldText(columns, 'title')}, ${allowedText(duck`_id`, 'xml')})`)} || '</title>'`;
  const link = fieldText(columns, 'link');
  const target = duck`coalesce('<link rel="alternate" href="' || ${inAttribute(link)} || '"/>', '<content type="text"/>')`;
  return {
    open,
    close: '</feed>',
    item: 'entry',
    first: duck`concat(${id}, ${title}, ${`<updated>${updated}</updated>`}, ${target})`,
    element,
  };
}

/** The text of the first field of that name, with or without its prefix; missing if the file has none. */
function fieldText(columns: readonly OutputColumn[], field: string): Sql {
  const found = columns.find(
    (column) => column.list === undefined && column.name.replace(/^g:/i, '').toLowerCase() === field,
  );
  return found ? name(found.column) : duck`CAST(NULL AS VARCHAR)`;
}
