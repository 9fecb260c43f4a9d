import { withoutThousandsMark } from '#engine/duckdb/number-groups.ts';
import { numberOf } from '#engine/duckdb/number.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { FieldDrift } from '#shared/difference/schema.ts';
import {
  type ComparedField,
  driftOf,
  FAR,
  HALF,
  LEFT,
  MANY_PRICES,
  type PriceNumbers,
  type StockNumbers,
} from './field-drift.ts';

type Files = { readonly before: string; readonly after: string };
/** A field with its measurements over the items that both states have. */
type Measured = { readonly field: ComparedField; readonly numbers: readonly number[] };

/**
 * Finds changes between two files that look like a fault in prices, stocks, titles and required fields: prices many times higher
 * or lower, gone or all equal, nearly all stocks zero, one title for all, a field emptied, most prices changed.
 *
 * Parsing numbers from texts is the expensive part, and most values are unchanged: only differing ones are parsed, and the others
 * only if they could still affect the result. If texts now mean other numbers ('1.500' is no longer 1500), all are parsed.
 */
export async function driftsBetween(
  duckdb: DuckDb,
  files: Files,
  fields: readonly ComparedField[],
  signal?: AbortSignal,
): Promise<FieldDrift[]> {
  if (fields.length === 0) return [];
  const numeric = fields.filter(({ role }) => role !== 'required' && role !== 'title');
  const measures = numeric.map((field, index) => duck`${measure(field, index)} AS ${name(`m${index}`)}`);
  const body = duck`SELECT ${join([duck`count(*) AS n`, ...measures], duck`, `)} FROM ${changedNumbers(files, numeric)}`;
  const [row = {}] = await duckdb.all(statement(body), signal);
  const changed = numeric.map((field, index) => ({ field, numbers: numbersOf(row[`m${index}`]) }));
  const common = Number(row['n']);
  const measured = new Map<ComparedField, Measured>();
  for (const one of changed) {
    const whole = await withUnchanged(duckdb, files, { ...one, numbers: [...one.numbers, common] }, signal);
    if (whole) measured.set(one.field, whole);
  }
  const texts = fields.filter(({ role }) => role === 'required' || role === 'title');
  for (const one of await ofTexts(duckdb, files, { fields: texts, common }, signal)) measured.set(one.field, one);
  return fields.flatMap((field) => driftOf(field, measured.get(field)?.numbers ?? []));
}

/** The items that both files have, with the texts of the fields. */
function pairs(files: Files, fields: readonly ComparedField[]): Sql {
  const read = (side: 'before' | 'after') => {
    const columns = fields.map((field, index) => duck`${name(field[side])} AS ${name(`v${index}`)}`);
    return duck`(SELECT ${join([duck`_id`, ...columns], duck`, `)} FROM read_parquet(${storedFile(files[side])}))`;
  };
  return duck`${read('before')} b JOIN ${read('after')} a ON a._id = b._id`;
}

const textsOf = (index: number): [Sql, Sql] => [duck`b.${name(`v${index}`)}`, duck`a.${name(`v${index}`)}`];
/** Texts for 'not available', in German and English, as shops, Google's and schema.org's files write them. */
const NOT_AVAILABLE =
  '(?i)(?:https?://schema\\.org/)?(?:out[ _-]?of[ _-]?stock|sold[ _-]?out|(?:not|un)[ _-]?available|discontinued|no|n|false|f|0|nein|falsch|ausverkauft|vergriffen|.*\\bnicht[ _-](?:auf[ _-]lager|am[ _-]lager|verf(?:ü|ue)gbar|lieferbar|vorr(?:ä|ae)tig|bestellbar|lagernd).*)';
const number = ({ role, groups }: ComparedField, side: 'before' | 'after', text: Sql): Sql =>
  role === 'availability'
    ? duck`CASE WHEN regexp_full_match(trim(${text}), ${NOT_AVAILABLE}) THEN 0::DOUBLE WHEN ${text} IS NOT NULL THEN 1::DOUBLE END`
    : duck`CAST(${numberOf(withoutThousandsMark(text, groups?.[side]))} AS DOUBLE)`;
const isReadOtherwise = ({ groups }: ComparedField): boolean => groups?.before?.mark !== groups?.after?.mark;
const isStocked = ({ role }: ComparedField): boolean => role === 'stock' || role === 'availability';
const count = (condition: Sql): Sql => duck`count(*) FILTER (${condition})::DOUBLE`;

/** The common items with the numbers of prices and stocks before and after, NULL where the text is unchanged. */
function changedNumbers(files: Files, fields: readonly ComparedField[]): Sql {
  const numbers = fields.flatMap((field, index) => {
    const [before, after] = textsOf(index);
    const differs = isReadOtherwise(field) ? duck`TRUE` : duck`${before} IS DISTINCT FROM ${after}`;
    const where = (side: 'before' | 'after', text: Sql) =>
      duck`CASE WHEN ${differs} THEN ${number(field, side, text)} END`;
    return [
      duck`${where('before', before)} AS ${name(`o${index}`)}`,
      duck`${where('after', after)} AS ${name(`c${index}`)}`,
    ];
  });
  return duck`(SELECT ${join([duck`b._id`, ...numbers], duck`, `)} FROM ${pairs(files, fields)})`;
}

/** Measurements of a price or a stock, over the items whose text changed; field-drift.ts explains each number. */
function measure(field: ComparedField, index: number): Sql {
  const [old, current] = [name(`o${index}`), name(`c${index}`)];
  if (isStocked(field)) {
    const had = duck`${old} > 0`;
    return duck`[${count(had)}, ${count(duck`${current} > 0`)}, ${count(duck`${had} AND ${current} IS NULL`)}]`;
  }
  const both = duck`${old} > 0 AND ${current} > 0`;
  const ratio = duck`${current} / ${old}`;
  const where = (holds: Sql) => count(duck`${both} AND ${holds}`);
  const counts = [
    count(both),
    where(duck`${old} <> ${current}`),
    where(duck`${ratio} BETWEEN 80 AND 125`),
    where(duck`${ratio} BETWEEN 0.008 AND 0.0125`),
    where(duck`${ratio} >= ${ownNumber(FAR)}`),
    where(duck`${ratio} * ${ownNumber(FAR)} <= 1`),
    count(duck`${old} > 0 AND (${current} IS NULL OR ${current} <= 0)`),
    // NULL if there are no such prices: then nothing is equal.
    duck`coalesce(min(${current}) FILTER (${both}) = max(${current}) FILTER (${both})
      AND approx_count_distinct(${old}) FILTER (${both}) >= ${ownNumber(MANY_PRICES)}, false)::DOUBLE`,
  ];
  return duck`[${join(counts, duck`, `)}]`;
}

/**
 * Extends the measurements of a price or a stock from the changed items to all items; undefined if the unchanged ones cannot lead
 * to a finding, whatever they contain. Counts no more of them than needed to decide that.
 */
async function withUnchanged(
  duckdb: DuckDb,
  files: Files,
  { field, numbers }: Measured,
  signal?: AbortSignal,
): Promise<Measured | undefined> {
  const most = isStocked(field) ? mostStocked(numbers) : mostPriced(numbers);
  if (most < 0) return undefined;
  if (isReadOtherwise(field)) return { field, numbers };
  const [before, after] = textsOf(0);
  const unchanged = duck`FROM ${pairs(files, [field])} WHERE ${before} = ${after}`;
  const positive = duck`SELECT 1 ${unchanged} AND ${number(field, 'after', after)} > 0 LIMIT ${ownNumber(most + 1)}`;
  const [row] = await duckdb.all(statement(duck`SELECT count(*) AS n FROM (${positive})`), signal);
  const same = Number(row?.['n']);
  if (same > most) return undefined;
  const [first = 0, second = 0, ...rest] = numbers;
  return { field, numbers: [first + same, isStocked(field) ? second + same : second, ...rest] };
}

/** The most stocks above 0 that may be unchanged for nearly all to count as gone; below 0: no number would do. */
function mostStocked([had = 0, has = 0]: StockNumbers): number {
  if (had === 0) return -1;
  return Math.floor((had * LEFT - has) / (1 - LEFT));
}

/** The most prices that may be unchanged for half of all to count as changed or gone. */
function mostPriced([both = 0, changed = 0, , , , , missing = 0]: PriceNumbers): number {
  return Math.max(changed === 0 ? -1 : changed / HALF - both, missing === 0 ? -1 : missing / HALF - missing - both);
}

type Texts = { readonly fields: readonly ComparedField[]; readonly common: number };

/**
 * For required fields that by the file's statistics may have been emptied: how many common items had a value and have one. For
 * titles: how many items have one, and whether all are equal now but were not before. Reads no value if nothing happened.
 */
async function ofTexts(
  duckdb: DuckDb,
  files: Files,
  { fields, common }: Texts,
  signal?: AbortSignal,
): Promise<Measured[]> {
  if (fields.length === 0) return [];
  const [before, after] = [await filledIn(duckdb, files.before, signal), await filledIn(duckdb, files.after, signal)];
  const titles = fields.flatMap((field): Measured[] => {
    const [had, has] = [before.columns.get(field.before), after.columns.get(field.after)];
    if (field.role !== 'title' || had === undefined || has === undefined) return [];
    return [{ field, numbers: [has.filled, has.same && had.differs ? 1 : 0] }];
  });
  const added = after.items - common;
  const emptied = fields.filter((field) => {
    const [had, has] = [before.columns.get(field.before), after.columns.get(field.after)];
    return (
      field.role === 'required' && (had === undefined || has === undefined || has.filled - added <= had.filled * LEFT)
    );
  });
  return [...titles, ...(await filledBoth(duckdb, files, emptied, signal))];
}

async function filledBoth(
  duckdb: DuckDb,
  files: Files,
  fields: readonly ComparedField[],
  signal?: AbortSignal,
): Promise<Measured[]> {
  if (fields.length === 0) return [];
  const counts = fields.map((_, index) => {
    const [old, current] = textsOf(index);
    return duck`[${count(duck`${old} IS NOT NULL`)}, ${count(duck`${current} IS NOT NULL`)}] AS ${name(`m${index}`)}`;
  });
  const [row = {}] = await duckdb.all(
    statement(duck`SELECT ${join(counts, duck`, `)} FROM ${pairs(files, fields)}`),
    signal,
  );
  return fields.map((field, index) => ({ field, numbers: numbersOf(row[`m${index}`]) }));
}

/** Parquet statistics of a column: the number of values, whether all are equal, and whether some certainly differ. */
type ColumnFacts = { readonly filled: number; readonly same: boolean; readonly differs: boolean };

/** Reads a file's Parquet statistics for its columns, without reading values. Columns without a value count are left out. */
async function filledIn(
  duckdb: DuckDb,
  file: string,
  signal?: AbortSignal,
): Promise<{ items: number; columns: Map<string, ColumnFacts> }> {
  // A row group without values has no minimum; long values have none either, or a truncated one.
  const rows = await duckdb.all(
    statement(duck`SELECT path_in_schema AS "column", sum(num_values)::DOUBLE AS n, sum(stats_null_count)::DOUBLE AS missing,
      count(*) = count(stats_null_count) AS known,
      coalesce(bool_and(stats_null_count = num_values OR (stats_min_value IS NOT NULL AND min_is_exact AND max_is_exact))
        AND min(stats_min_value) = max(stats_max_value), false) AS same,
      coalesce(min(stats_min_value) < max(stats_max_value), false) AS differs
      FROM parquet_metadata(${storedFile(file)}) GROUP BY 1`),
    signal,
  );
  const columns = new Map<string, ColumnFacts>();
  let items = 0;
  for (const row of rows) {
    if (row['column'] === '_id') items = Number(row['n']);
    const filled = Number(row['n']) - Number(row['missing']);
    if (row['known'] === true)
      columns.set(String(row['column']), { filled, same: row['same'] === true, differs: row['differs'] === true });
  }
  return { items, columns };
}

const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);
