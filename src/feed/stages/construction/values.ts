import { column, ID, MISSING, type Relation } from '#engine/duckdb/relation.ts';
import { sourceKey } from '#engine/ir/source-key.ts';
import { duck, join, name, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import {
  isListRow,
  keyOf,
  usedEntries,
  valueTypeOf,
  type ConstructionRow,
  type SourcePart,
} from '#shared/construction/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import type { ExportColumn, ListShape } from './columns.ts';
import { usedParts, type ExportField } from './fields.ts';

/** A field's value over the relation's columns, by its row or its cases: VARCHAR, or VARCHAR[] for a list. */
export function fieldValue(relation: Relation, { row, cases }: ExportField): Sql {
  if (cases.length === 0) return rowValue(relation, row);
  const branches = cases.map(({ where, row: made }) => {
    const holds = where.map(({ key, value }) => duck`${column(relation, key)} = ${value}`);
    return duck`WHEN ${holds.length === 0 ? duck`TRUE` : join(holds, duck` AND `)} THEN ${rowValue(relation, made)}`;
  });
  const value = duck`CASE ${join(branches, duck` `)} END`;
  return isListRow(row) ? duck`CASE WHEN ${value} IS NOT NULL THEN list_value(${value}) END` : value;
}

/** The value of one row over the relation's columns: VARCHAR, or VARCHAR[] for a list. */
function rowValue(relation: Relation, row: ConstructionRow): Sql {
  const values = usedParts(row).map((part) => partValue(relation, part));
  const [first, ...more] = values;
  if (!first) return isListRow(row) ? duck`CAST(NULL AS VARCHAR[])` : MISSING;
  if (isListRow(row)) {
    const filled = duck`coalesce(${join(values, duck`, `)}) IS NOT NULL`;
    return duck`CASE WHEN ${filled} THEN list_value(${join(values, duck`, `)}) END`;
  }
  if (more.length === 0) return first;
  return duck`nullif(concat(${join(values, duck`, `)}), '')`;
}

/** A field's value as one text: a list joined as in a single column. */
export function fieldText(relation: Relation, field: ExportField): Sql {
  const value = fieldValue(relation, field);
  return isListRow(field.row) ? listText(value, listShape(field, undefined)) : value;
}

/** A column's text before it is serialized for the file. */
export function columnText({ column: cell, list }: ExportColumn): Sql {
  return list && list.parted !== 'text' ? listText(name(cell), list) : name(cell);
}

/** The filled entries of a list, joined; named ones as `Name: Wert`. */
function listText(value: Sql, { keys, separator }: ListShape): Sql {
  const entries =
    keys === null ? value : duck`list_transform(list_zip(${keyList(keys)}, ${value}), lambda e: ${namedEntry})`;
  return duck`array_to_string(list_filter(${entries}, lambda e: e IS NOT NULL), ${separator})`;
}

const namedEntry = duck`e[1] || ': ' || e[2]`;
const keyList = (keys: readonly string[]): Sql =>
  duck`list_value(${join(
    keys.map((key) => duck`CAST(${key} AS VARCHAR)`),
    duck`, `,
  )})`;

function partValue(relation: Relation, part: SourcePart): Sql {
  if (part.type === '_string' || part.type === '_default')
    return part.value === '' ? MISSING : duck`CAST(${part.value} AS VARCHAR)`;
  if (part.type !== '_mapping' && part.value === ITEM_ID) return ID;
  return column(relation, sourceKey(part.type, part.value));
}

/**
 * The list shape given by the row, else by the template, else values separated by commas in one column. A value from attributes
 * is a single one, without a name.
 */
export function listShape({ row, cases }: ExportField, field: ChannelField | undefined): ListShape {
  const entries = usedEntries(row);
  const isAttribute = cases.length > 0;
  return {
    keys: !isAttribute && valueTypeOf(row) === 'array_key_value' ? entries.map(keyOf) : null,
    separator: row.extras.separator ?? field?.many?.separator ?? ',',
    repeat: row.extras.repeat ?? field?.many?.repeat ?? false,
    size: isAttribute ? 1 : entries.length,
  };
}
