import { filled, valueKey } from '#catalogue/item-conditions.ts';
import type { DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { duck, join, ownNumber, type Sql, statement } from '#platform/duckdb/sql.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import { type Facet, type FacetValue, MOST_FACET_VALUES } from '#shared/items/facets.ts';
import { MAX_FILTER_VALUE } from '#shared/items/schema.ts';
import { histogramOf } from './histogram.ts';
import { type LengthCount, summarizeLengths } from './lengths.ts';

/**
 * The values of a facet. `texts`: a query for every item with the columns `r` (its unique number) and `v` (the text). `keys`: a
 * query with `r`, `h` (64-bit hash of the text, null if there is none), `letters` (its length) and `chosen` (whether the facet
 * counts it). `numeric`: the texts are numbers, so a histogram makes sense. `groups`: what a separator before three digits means
 * in them.
 */
export type FacetSource = {
  readonly texts: Sql;
  readonly keys: Sql;
  readonly numeric: boolean;
  readonly groups: NumberGroups | undefined;
};

/** Returns the columns `h` and `letters` of a text. */
export const textKey = (text: Sql): Sql =>
  duck`CASE WHEN ${filled(text)} THEN ${valueKey(text)} END AS h, length(${text})::INT AS letters`;

/**
 * Reads the values of one field, grouped by a 64-bit hash instead of the text, so that a million descriptions fit into memory.
 * Two different values among a million share a hash once in thirty million facets.
 * The session must be the facet's own: temporary tables in it hold the groups.
 */
export async function readFacet(session: DuckDbSession, source: FacetSource, signal: AbortSignal): Promise<Facet> {
  await session.all(groupsOf(source.keys), signal);
  const sums = await rowOf(session, SUMS, signal);
  const lengths = await session.all(statement(LENGTHS), signal);
  return {
    items: number(sums['items']),
    filled: number(sums['filled']),
    distinct: number(sums['distinct_values']),
    duplicates: number(sums['duplicates']),
    values: await mostFrequent(session, source.texts, signal),
    ...summarizeLengths(
      lengths.map((row): LengthCount => ({ length: number(row['letters']), items: number(row['n']) })),
    ),
    histogram: source.numeric ? await histogramOf(session, source, signal) : null,
  };
}

export const number = (value: unknown): number => Number(value ?? 0);

export async function rowOf(session: DuckDbSession, query: Sql, signal: AbortSignal): Promise<Record<string, unknown>> {
  const [row] = await session.all(statement(query), signal);
  return row ?? {};
}

/** Items without a value form the group without a hash. `everywhere` also counts the items that are not chosen. */
const groupsOf = (keys: Sql) =>
  statement(duck`CREATE TEMP TABLE facet_groups AS
    SELECT h, min(r) AS r, min(letters) AS letters, count(*) AS everywhere, count(*) FILTER (WHERE chosen) AS n
    FROM (${keys}) GROUP BY h`);

const CHOSEN_VALUES = duck`facet_groups WHERE h IS NOT NULL AND n > 0`;

const SUMS = duck`
  SELECT sum(n)::BIGINT AS items, (sum(n) FILTER (WHERE h IS NOT NULL))::BIGINT AS filled,
    count(*) FILTER (WHERE h IS NOT NULL AND n > 0) AS distinct_values,
    (sum(n) FILTER (WHERE h IS NOT NULL AND everywhere > 1))::BIGINT AS duplicates
  FROM facet_groups`;

const LENGTHS = duck`SELECT letters, sum(n)::BIGINT AS n FROM ${CHOSEN_VALUES} GROUP BY letters ORDER BY letters`;

/** Returns the most frequent values, each spelled as in the catalogue's first item with it. */
async function mostFrequent(session: DuckDbSession, texts: Sql, signal: AbortSignal): Promise<FacetValue[]> {
  const top = await session.all(
    statement(duck`SELECT r, n FROM ${CHOSEN_VALUES} ORDER BY n DESC, r LIMIT ${ownNumber(MOST_FACET_VALUES)}`),
    signal,
  );
  if (top.length === 0) return [];
  const places = join(
    top.map((row) => ownNumber(number(row['r']))),
    duck`, `,
  );
  const most = ownNumber(MAX_FILTER_VALUE + 1);
  const rows = await session.all(
    statement(duck`SELECT r, substr(v, 1, ${most}) AS v FROM (${texts}) WHERE r IN (${places})`),
    signal,
  );
  const found = new Map(rows.map((row) => [number(row['r']), String(row['v'])]));
  return top.map((row) => {
    const text = found.get(number(row['r'])) ?? '';
    return { value: text.slice(0, MAX_FILTER_VALUE), whole: text.length <= MAX_FILTER_VALUE, items: number(row['n']) };
  });
}
