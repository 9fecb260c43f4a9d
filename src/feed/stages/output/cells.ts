import { MISSING } from '#engine/duckdb/relation.ts';
import { join, name, duck, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import { allowedText, isAwkward, withoutForbidden } from './characters.ts';
import { addressList, entryAddresses, firstAddress } from './image-addresses.ts';
import { cellLetters, entriesOf, joinedText, listCell, standsApart } from './lists.ts';
import { type Step, stepsOf } from '#engine/duckdb/once.ts';
import { plainTextSteps } from './plain-text.ts';
import { ungrouped } from '#engine/duckdb/number-groups.ts';
import { decimalText, measureText, plainNumber, priceText, wholeNumber } from './prices.ts';
import { leavesOutPlaceholders } from '#shared/channels/placeholders.ts';
import { withoutPlaceholder } from '#engine/duckdb/placeholders.ts';
import { gtinText, unitText } from './repairs.ts';
import { valueText } from './values.ts';
import { cellLimit } from '#feed/stages/output/formats/xlsx-limits.ts';

export type ListShape = {
  /** The names that go out with the values; null: the values alone. */
  readonly keys: readonly string[] | null;
  readonly separator: string;
  readonly repeat: boolean;
  readonly size: number;
  /** What may hold several addresses, which the file takes apart: the column's one text (VARCHAR), or each entry. */
  readonly parted?: 'text' | 'entries';
};

/** A column of the file: its name there, its column in the run's Parquet file (VARCHAR, a list's VARCHAR[] unless one text holds it). */
export type OutputColumn = {
  readonly name: string;
  readonly column: string;
  readonly number: boolean;
  readonly price: boolean;
  readonly list?: ListShape;
  readonly field?: ChannelField;
  /** What a mark before three digits means in it. */
  readonly groups?: NumberGroups;
  /** No item has a value: there is nothing to spell, and spelling is a long expression. */
  readonly empty?: true;
};

/**
 * A column's text as it goes out, over the run's Parquet file: this is the one place that says how a value is spelled. A
 * list is one text here, joined as it would stand in one cell. NULL if nothing goes out.
 */
export function cellText(column: OutputColumn, format: OutputFormat): Sql {
  return stepsOf(name(column.column), cellSteps(column, format));
}

/** The same where a cell may be as long as it likes. */
export function wholeText(column: OutputColumn, format: OutputFormat): Sql {
  return stepsOf(name(column.column), wholeSteps(column, format));
}

/** The entries of a list column as they go out one by one, VARCHAR[] with NULL for gaps; undefined: it holds one text. */
export function entryTexts(column: OutputColumn, format: OutputFormat): Sql | undefined {
  const { list, ...alone } = column;
  if (!list || column.empty) return undefined;
  return duck`list_transform(${listCell(column)}, lambda e: ${cellText({ ...alone, column: 'e' }, format)})`;
}

/** What `cellText` does to what the column holds, one after the other: of many items each step is quickest as a projection of its own. */
export function cellSteps(column: OutputColumn, format: OutputFormat): Step[] {
  const { kind } = format;
  if (column.empty) return [() => MISSING];
  return [...wholeSteps(column, format), ...(kind === 'xlsx' ? [(text: Sql) => cellLimit(text, kind)] : [])];
}

/**
 * `cellSteps` for whoever looks at all cells of an item at once: `cleaning` takes out the characters that the file cannot hold, which few
 * items have, and `steps` are the others. `keepsLetters`: these make no letters that the cell did not hold.
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
  const { kind } = format;
  const steps = [(text: Sql) => allowedText(text, kind), ...serializerOf(column, format)];
  if (!list) return steps;
  const entries = (cell: Sql) => entriesOf(cell, list, (entry) => stepsOf(entry, steps));
  return [...parting(list), (cell) => joinedText(entries(cell), column, standsApart(kind, list))];
}

const parting = ({ parted }: ListShape): Step[] =>
  parted === undefined ? [] : [parted === 'text' ? addressList : entryAddresses];

/**
 * What is done to a text of the column on its way into the file, without the removal of characters that the file cannot
 * hold; no steps if it goes out as it is.
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
  const thousands = thousandsIn(column, format);
  if (thousands) steps.push((text) => ungrouped(text, thousands));
  if (column.price && format.price !== 'keep') steps.push((text) => priceText(text, { ...format, decimal }));
  else if (field?.type === 'integer') steps.push(wholeNumber);
  else if (field?.type === 'gtin') steps.push(gtinText);
  else if (field?.type === 'measure') {
    const mark = format.decimal;
    steps.push((text) => unitText(text, field) ?? text);
    if (mark !== 'keep') steps.push((text) => measureText(text, mark));
  } else if (kind === 'number' && field) steps.push(plainNumber);
  else if (column.number && decimal !== 'keep') steps.push((text) => decimalText(text, decimal));
  return steps;
}

/** Whether numbers of the column go out in the channel's spelling; else texts stay as they are. */
const isSpelled = (column: OutputColumn, format: OutputFormat): boolean =>
  (column.price && format.price !== 'keep') ||
  typedKind(column, format) === 'number' ||
  (column.number && format.decimal !== 'keep');

/** Of a price it is enough that the column makes it likely: 1,30 for an article of 1299 is the graver mistake. The check tells it. */
const partsThousands = ({ price, groups }: OutputColumn): boolean =>
  groups !== undefined && groups.mark !== 'none' && (price || groups.sure);

/** What the mark of '1.500' is where the column's texts are read as numbers and it parts thousands there; undefined: it is decimal. */
export const thousandsIn = (column: OutputColumn, format: OutputFormat): NumberGroups | undefined =>
  isSpelled(column, format) && partsThousands(column) ? column.groups : undefined;

/** Whether the channel takes one picture there: of several in a cell the first goes out. */
export const takesOneAddress = ({ field, list, empty }: OutputColumn): boolean =>
  field?.type === 'image' && !list && !empty;

/** Whether HTML is taken out of the column's texts. */
export const stripped = ({ field }: OutputColumn, { stripHtml }: OutputFormat): boolean =>
  stripHtml && field?.type !== 'html';

/**
 * What the column's texts are meant to be in a file that knows numbers and truth values; undefined: texts. A column that
 * no template knows is a number if the import found it to be one.
 */
export function typedKind(column: OutputColumn, { kind, typed }: OutputFormat): 'number' | 'boolean' | undefined {
  if (!typed || (kind !== 'json' && kind !== 'jsonl' && kind !== 'xlsx')) return undefined;
  const type = column.field?.type;
  if (type === 'boolean') return kind === 'xlsx' ? undefined : 'boolean';
  if (type === undefined) return column.number ? 'number' : undefined;
  return type === 'number' || type === 'integer' || type === 'price' ? 'number' : undefined;
}

/**
 * The run's items with every column spelled, for FROM: `_id`, in a JSON array `file_row_number`, and the columns under their own names, lists
 * without their gaps; in a workbook a cell that nothing is done to is not cleaned or cut yet where its item is awkward. Where the kind of file cannot hold every character `_awkward` tells an item that has any such (see
 * `isAwkward`): one look over the whole item costs a fraction of one at each cell. `asTheyAre`: nothing is looked for.
 */
export function serializedItems(
  parquet: string,
  columns: readonly OutputColumn[],
  format: OutputFormat,
  asTheyAre: boolean,
): Sql {
  const own = [...new Map(columns.map((column) => [column.column, column])).values()];
  const texts = own.map(cellLetters);
  const awkward = asTheyAre ? undefined : isAwkward(name('_all'), format.kind);
  const select = (chosen: readonly Sql[], from: Sql) => duck`(SELECT ${join(chosen, duck`, `)} FROM ${from})`;
  // Numbering the rows costs a tenth of writing them, though nobody asks for the numbers: only where somebody does.
  const numbered = format.kind === 'json';
  const file = numbered
    ? duck`read_parquet(${storedFile(parquet)}, file_row_number = true)`
    : duck`read_parquet(${storedFile(parquet)})`;
  const always = [duck`_id`, ...(numbered ? [duck`file_row_number`] : []), ...(awkward ? [duck`_awkward`] : [])];
  const serialized = (from: Sql) => {
    const steps = own.map((column) => ({ cell: name(column.column), steps: fileSteps(column, format) }));
    const most = Math.max(1, ...steps.map(({ steps: { length } }) => length));
    return Array.from({ length: most }).reduce<Sql>((before, _, at) => {
      const cells = steps.map(({ cell, steps: { [at]: step } }) => (step ? duck`${step(cell)} AS ${cell}` : cell));
      return select([...always, ...cells], before);
    }, from);
  };
  if (!awkward) return serialized(file);
  const lines = select([duck`*`, duck`concat(${join([duck`''`, ...texts], duck`, `)}) AS _all`], file);
  const looked = select([duck`* EXCLUDE (_all)`, duck`${awkward} AS _awkward`], lines);
  return serialized(select([...always, ...own.map((column) => cleaned(column, format))], looked));
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

/** What is done to a cell whose characters the file can hold. */
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
