import { MISSING } from '#engine/duckdb/relation.ts';
import { join, name, duck, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { isTyped, type OutputFormat } from '#shared/exports/schema.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import { allowedText, needsEscaping, withoutForbidden } from './characters.ts';
import { addressList, entryAddresses, firstAddress } from './image-addresses.ts';
import { cellLetters, entriesOf, joinedText, listCell, hasSeparateCells } from './lists.ts';
import { type Step, stepsOf } from '#engine/duckdb/once.ts';
import { plainTextSteps } from './plain-text.ts';
import { withoutThousandsMark } from '#engine/duckdb/number-groups.ts';
import { decimalText, measureText, plainNumber, priceText, wholeNumber } from './prices.ts';
import { leavesOutPlaceholders } from '#shared/channels/placeholders.ts';
import { withoutPlaceholder } from '#engine/duckdb/placeholders.ts';
import { gtinText, unitText } from './repairs.ts';
import { valueText } from './values.ts';
import { cellLimit } from '#feed/stages/output/formats/xlsx-limits.ts';

export type ListShape = {
  /** The names exported with the values; null: the values alone. */
  readonly keys: readonly string[] | null;
  readonly separator: string;
  readonly repeat: boolean;
  readonly size: number;
  /** Set if texts may contain several addresses, which the file splits: the column's one text (VARCHAR), or each entry. */
  readonly parted?: 'text' | 'entries';
};

/** A column of the file, and its column in the run's Parquet file (VARCHAR; VARCHAR[] for a list unless one text holds it). */
export type OutputColumn = {
  readonly name: string;
  readonly column: string;
  readonly number: boolean;
  readonly price: boolean;
  readonly list?: ListShape;
  readonly field?: ChannelField;
  /** What a mark before three digits means in it. */
  readonly groups?: NumberGroups;
  /** Set if no item has a value: then the long serialization expression is not needed. */
  readonly empty?: true;
};

/**
 * The text of a column in the file, over the run's Parquet file: the only place that defines how a value is serialized. A list is
 * one text here, joined as in one cell. NULL if nothing is written.
 */
export function cellText(column: OutputColumn, format: OutputFormat): Sql {
  return stepsOf(name(column.column), cellSteps(column, format));
}

/** The text of a column as `cellText`, but not cut to the length of an Excel cell. */
export function wholeText(column: OutputColumn, format: OutputFormat): Sql {
  return stepsOf(name(column.column), wholeSteps(column, format));
}

/** The serialized entries of a list column, VARCHAR[] with NULL for gaps; undefined if the column is no list. */
export function entryTexts(column: OutputColumn, format: OutputFormat): Sql | undefined {
  const { list, ...alone } = column;
  if (!list || column.empty) return undefined;
  return duck`list_transform(${listCell(column)}, lambda e: ${cellText({ ...alone, column: 'e' }, format)})`;
}

/** The steps of `cellText`, in order: for many items each step runs fastest as a projection of its own. */
export function cellSteps(column: OutputColumn, format: OutputFormat): Step[] {
  const { kind } = format;
  if (column.empty) return [() => MISSING];
  return [...wholeSteps(column, format), ...(kind === 'xlsx' ? [(text: Sql) => cellLimit(text, kind)] : [])];
}

/**
 * `cellSteps` for callers that read all cells of an item together: `cleaning` removes characters that the file cannot hold, which
 * few items have; `steps` are the other steps. `keepsLetters`: they produce no letters that the cell did not contain.
 */
export type SerializedCell = {
  readonly cell: Sql;
  readonly cleaning: Step | undefined;
  readonly steps: readonly Step[];
  readonly keepsLetters: boolean;
};

export function serializedCell(column: OutputColumn, format: OutputFormat): SerializedCell {
  const cell = name(column.column);
  const steps = cellSteps(column, format);
  if (column.list || column.empty) return { cell, cleaning: undefined, steps, keepsLetters: false };
  const [cleaning, ...others] = steps;
  const keepsLetters = serializerOf(column, format).every(
    (step) => step === firstAddress || step === withoutPlaceholder,
  );
  return { cell, cleaning, steps: others, keepsLetters };
}

function wholeSteps(column: OutputColumn, format: OutputFormat): Step[] {
  const { list } = column;
  if (!list) return textSteps(column, format);
  const apart = hasSeparateCells(format.kind, list);
  return [...entrySteps(column, list, format), (entries) => joinedText(entries, column, apart)];
}

const textSteps = (column: OutputColumn, format: OutputFormat): Step[] => [
  (text) => allowedText(text, format.kind),
  ...serializerOf(column, format),
];

const entrySteps = (column: OutputColumn, list: ListShape, format: OutputFormat): Step[] => [
  ...parting(list),
  (cell) => entriesOf(cell, list, (entry) => stepsOf(entry, textSteps(column, format))),
];

/** The serialized entries of a list as in the file, VARCHAR[]; undefined if the column is no list. */
export function listEntries(column: OutputColumn, format: OutputFormat): Sql | undefined {
  const { list, empty } = column;
  return list && !empty ? stepsOf(name(column.column), entrySteps(column, list, format)) : undefined;
}

const parting = ({ parted }: ListShape): Step[] =>
  parted === undefined ? [] : [parted === 'text' ? addressList : entryAddresses];

/**
 * The steps that serialize a text of the column, without the removal of characters that the file cannot hold; empty if it is
 * written as it is.
 */
function serializerOf(column: OutputColumn, format: OutputFormat): Step[] {
  const { field } = column;
  const steps: Step[] = [];
  if (stripped(column, format)) steps.push(...plainTextSteps);
  if (takesOneAddress(column)) steps.push(firstAddress);
  const kind = typedKind(column, format);
  if (field && leavesOutPlaceholders(field)) steps.push(withoutPlaceholder);
  if (field && valueText(duck``, field, kind === 'boolean'))
    steps.push((text) => valueText(text, field, kind === 'boolean') ?? text);
  const decimal = kind === 'number' ? 'point' : format.decimal;
  const currency = column.price ? format.currency : undefined;
  const thousands = thousandsIn(column, format);
  if (thousands) steps.push((text) => withoutThousandsMark(text, thousands));
  if (column.price && format.price !== 'keep') steps.push((text) => priceText(text, { ...format, decimal }));
  else if (field?.type === 'integer') steps.push(wholeNumber);
  else if (field?.type === 'gtin') steps.push(gtinText);
  else if (field?.type === 'measure') {
    const mark = format.decimal;
    steps.push((text) => unitText(text, field) ?? text);
    if (mark !== 'keep') steps.push((text) => measureText(text, mark));
  } else if (kind === 'number' && field) steps.push((text) => plainNumber(text, currency));
  else if (column.number && decimal !== 'keep') steps.push((text) => decimalText(text, decimal, currency));
  return steps;
}

/** Whether numbers of the column are converted to the channel's notation; if not, texts stay as they are. */
const isSpelled = (column: OutputColumn, format: OutputFormat): boolean =>
  (column.price && format.price !== 'keep') ||
  typedKind(column, format) === 'number' ||
  (column.number && format.decimal !== 'keep');

/** For prices a likely thousands mark suffices: to offer an article of 1299 for 1,30 is worse. The check reports it. */
const partsThousands = ({ price, groups }: OutputColumn): boolean =>
  groups !== undefined && groups.mark !== 'none' && (price || groups.sure);

/** The meaning of the mark in '1.500' if the column's texts are read as numbers and it separates thousands; else undefined. */
export const thousandsIn = (column: OutputColumn, format: OutputFormat): NumberGroups | undefined =>
  isSpelled(column, format) && partsThousands(column) ? column.groups : undefined;

/** Whether the channel takes one picture in this column: of several in a cell only the first is written. */
export const takesOneAddress = ({ field, list, empty }: OutputColumn): boolean =>
  field?.type === 'image' && !list && !empty;

/** Whether HTML is removed from the column's texts. */
export const stripped = ({ field }: OutputColumn, { stripHtml }: OutputFormat): boolean =>
  stripHtml && field?.type !== 'html';

/**
 * The type of the column's values in a file that has numbers and booleans; undefined: text. A column that is in no template is a
 * number if the import found it to be one.
 */
export function typedKind(column: OutputColumn, format: OutputFormat): 'number' | 'boolean' | undefined {
  const { kind } = format;
  if (!isTyped(format)) return undefined;
  const type = column.field?.type;
  if (type === 'boolean') return kind === 'xlsx' ? undefined : 'boolean';
  if (type === undefined) return column.number ? 'number' : undefined;
  return type === 'number' || type === 'integer' || type === 'price' ? 'number' : undefined;
}

/**
 * The run's items with every column serialized, for FROM: `_id`, for a JSON array `file_row_number`, and the columns under their
 * own names, lists without gaps; in a workbook, otherwise unchanged cells of awkward items are not cleaned or cut yet. If the
 * file kind cannot hold every character, `_awkward` marks items that contain such (see `needsEscaping`): one test of the whole item
 * costs a fraction of one for each cell. `asTheyAre`: no test.
 */
export function serializedItems(
  parquet: string,
  columns: readonly OutputColumn[],
  format: OutputFormat,
  asTheyAre: boolean,
): Sql {
  const own = [...new Map(columns.map((column) => [column.column, column])).values()];
  const texts = own.map(cellLetters);
  const needsQuoting = asTheyAre ? undefined : needsEscaping(name('_all'), format.kind);
  const select = (chosen: readonly Sql[], from: Sql) => duck`(SELECT ${join(chosen, duck`, `)} FROM ${from})`;
  // Numbering the rows costs a tenth of writing them even if the numbers are not read: done only for JSON arrays.
  const numbered = format.kind === 'json';
  const file = numbered
    ? duck`read_parquet(${storedFile(parquet)}, file_row_number = true)`
    : duck`read_parquet(${storedFile(parquet)})`;
  const always = [duck`_id`, ...(numbered ? [duck`file_row_number`] : []), ...(needsQuoting ? [duck`_awkward`] : [])];
  const serialized = (from: Sql) => {
    const steps = own.map((column) => ({ cell: name(column.column), steps: fileSteps(column, format) }));
    const most = Math.max(1, ...steps.map(({ steps: { length } }) => length));
    return Array.from({ length: most }).reduce<Sql>((before, _, at) => {
      const cells = steps.map(({ cell, steps: { [at]: step } }) => (step ? duck`${step(cell)} AS ${cell}` : cell));
      return select([...always, ...cells], before);
    }, from);
  };
  if (!needsQuoting) return serialized(file);
  const lines = select([duck`*`, duck`concat(${join([duck`''`, ...texts], duck`, `)}) AS _all`], file);
  const checked = select([duck`* EXCLUDE (_all)`, duck`${needsQuoting} AS _awkward`], lines);
  return serialized(select([...always, ...own.map((column) => cleaned(column, format))], checked));
}

function cleaned(column: OutputColumn, format: OutputFormat): Sql {
  const cell = name(column.column);
  const { kind } = format;
  if (kind === 'xlsx' && !column.list && serializerOf(column, format).length === 0) return cell;
  const clean =
    column.list && column.list.parted !== 'text'
      ? duck`list_transform(${cell}, lambda e: ${withoutForbidden(duck`e`, kind)})`
      : withoutForbidden(cell, kind);
  return duck`CASE WHEN _awkward THEN ${clean} ELSE ${cell} END AS ${cell}`;
}

/** The steps for a cell whose characters the file can hold. */
function fileSteps(column: OutputColumn, format: OutputFormat): Step[] {
  const { list, empty } = column;
  if (empty) return [];
  const steps = serializerOf(column, format);
  if (list)
    return [
      ...parting(list),
      (cell) => entriesOf(cell, list, steps.length === 0 ? undefined : (entry) => stepsOf(entry, steps)),
    ];
  return format.kind === 'xlsx' && steps.length > 0 ? [...steps, (text) => cellLimit(text, format.kind)] : steps;
}
