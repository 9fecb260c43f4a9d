import { join, name, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { cellText, listEntries, typedKind, type OutputColumn } from '#feed/stages/output/cells.ts';
import { lines, type Serializer } from '#feed/stages/output/copy.ts';
import { jsonShape, type JsonTree } from './json-paths.ts';
import { entryAt } from '#feed/stages/output/lists.ts';
import { filled, once } from '#engine/duckdb/once.ts';

/**
 * Writes one object for each item: texts, lists, and with `typed` numbers and booleans. A missing value is null; with `nested` it
 * is left out, and so is an object or a list without any value. Always UTF-8 (RFC 8259).
 */
export function jsonSerializer(columns: readonly OutputColumn[], format: OutputFormat): Serializer {
  const item = format.nested ? nestedItem(columns, format) : flatItem(columns, format);
  if (format.kind === 'jsonl') return lines(item, { prefix: '', suffix: '\n' });
  const parted = duck`concat(CASE WHEN file_row_number = 0 THEN '' ELSE ',' END, ${item})`;
  const { open, close } = envelope(format);
  return lines(parted, { prefix: `${open}[\n`, suffix: `\n]${close}\n` });
}

/** The text around the list: empty, or an object with the members of `head` and the list under its name. */
function envelope({ member, head }: OutputFormat): { open: string; close: string } {
  if (member === '') return { open: '', close: '' };
  // As entered: parsing and serializing it again would round long numbers.
  const inner = head.trim().slice(1, -1).trim();
  return { open: `{${inner === '' ? '' : `${inner},`}${JSON.stringify(member)}:`, close: '}' };
}

function flatItem(columns: readonly OutputColumn[], format: OutputFormat): Sql {
  const { root } = jsonShape(columns, false);
  const members = [...entries(root)].map(([key, tree]) => duck`${key}, ${valueOf(tree, format)}`);
  return duck`CAST(json_object(${join(members, duck`, `)}) AS VARCHAR)`;
}

const entries = (tree: JsonTree): Iterable<[string, JsonTree]> => (tree.kind === 'object' ? tree.members : []);

function nestedItem(columns: readonly OutputColumn[], format: OutputFormat): Sql {
  return duck`coalesce(${treeText(jsonShape(columns, true).root, format)}, '{}')`;
}

/** A member's JSON; NULL if it is empty. */
function treeText(tree: JsonTree, format: OutputFormat): Sql {
  if (tree.kind === 'value') return duck`CAST(${valueOf(tree, format)} AS VARCHAR)`;
  if (tree.kind === 'object') {
    const members = [...tree.members].map(
      ([key, deeper]) => duck`${`,${JSON.stringify(key)}:`} || ${treeText(deeper, format)}`,
    );
    return filledOnly(members, '{', '}');
  }
  const inOrder = [...tree.members].toSorted(([one], [other]) => one - other);
  return filledOnly(
    inOrder.map(([, deeper]) => duck`',' || ${treeText(deeper, format)}`),
    '[',
    ']',
  );
}

/** Members with a comma before each, NULL for those that are missing. */
function filledOnly(members: readonly Sql[], open: string, close: string): Sql {
  return duck`${open} || substr(${filled(duck`concat(${join([duck`''`, ...members], duck`, `)})`)}, 2) || ${close}`;
}

/** A value of type JSON, or VARCHAR for a JSON string; NULL if it is missing. */
function valueOf(tree: JsonTree, format: OutputFormat): Sql {
  const columns = tree.kind === 'value' ? tree.columns : [];
  const [only, ...others] = columns;
  if (!only) return duck`CAST(NULL AS JSON)`;
  if (others.length > 0) {
    const values = columns.map((column) => duck`to_json(${columnValue(column, format)})`);
    const present = duck`list_filter(list_value(${join(values, duck`, `)}), lambda e: e IS NOT NULL)`;
    return duck`to_json(${once(present, (list) => duck`CASE WHEN len(${list}) > 0 THEN ${list} END`)})`;
  }
  const value = columnValue(only, format);
  return format.nested ? duck`to_json(${value})` : value;
}

/**
 * The text of a column for display: as in the file. A list in JSON is a list there too, so its entries are not joined with a
 * separator that the file does not have.
 */
export function shownText(column: OutputColumn, format: OutputFormat): Sql {
  const entries = format.kind === 'json' || format.kind === 'jsonl' ? listEntries(column, format) : undefined;
  if (entries === undefined) return cellText(column, format);
  return once(entries, (cell) => duck`CAST(${columnValue(column, format, cell)} AS VARCHAR)`);
}

function columnValue(column: OutputColumn, format: OutputFormat, cell = name(column.column)): Sql {
  const kind = typedKind(column, format);
  const { list } = column;
  if (!list) return kind ? typedValue(cell, kind) : cell;
  if (list.keys === null)
    return duck`to_json(${kind ? duck`list_transform(${cell}, lambda e: ${typedValue(duck`e`, kind)})` : cell})`;
  const members = list.keys.map((key, index) => {
    const entry = entryAt(cell, index);
    return duck`${`,${JSON.stringify(key)}:`} || CAST(to_json(${kind ? typedValue(entry, kind) : entry}) AS VARCHAR)`;
  });
  return duck`CAST(${filledOnly(members, '{', '}')} AS JSON)`;
}

/** Numbers with more than fifteen digits, which readers do not keep, are written as text. */
const shortNumber = '-?(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]+)?';

function typedValue(text: Sql, kind: 'number' | 'boolean'): Sql {
  const fits =
    kind === 'boolean'
      ? duck`${text} IN ('true', 'false')`
      : duck`strlen(${text}) <= 16 AND regexp_full_match(${text}, ${shortNumber})`;
  return duck`CASE WHEN ${fits} THEN CAST(${text} AS JSON) ELSE to_json(${text}) END`;
}
