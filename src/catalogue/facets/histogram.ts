import { withoutThousandsMark } from '#engine/duckdb/number-groups.ts';
import { cleanedNumber, fullNumber, shortNumber } from '#engine/duckdb/number.ts';
import type { DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { duck, name, ownNumber, type Sql, statement } from '#platform/duckdb/sql.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import type { FacetBar } from '#shared/items/facets.ts';

/** Approximate number of bars; steps are round numbers. */
const BARS = 10;

/**
 * Returns the distribution of the chosen items' numbers, in round steps. The first and the last bar include outliers. Each bar
 * begins and ends with a number that occurs, so that a filter between the two finds exactly its items.
 */
export async function histogramOf(
  session: DuckDbSession,
  { texts, groups }: { texts: Sql; groups: NumberGroups | undefined },
  signal: AbortSignal,
): Promise<FacetBar[]> {
  // Column by column, so that each is computed once per value: parsing numbers takes most of the time.
  const [cleaned, short] = [name('cleaned'), name('short')];
  await session.all(
    statement(duck`CREATE TEMP TABLE facet_numbers AS
      WITH texts AS (SELECT v, n FROM (${texts}) JOIN facet_groups USING (r) WHERE h IS NOT NULL AND n > 0),
      clean AS MATERIALIZED (SELECT ${cleanedNumber(withoutThousandsMark(name('v'), groups))} AS cleaned, n FROM texts),
      shorter AS MATERIALIZED (SELECT cleaned, ${shortNumber(cleaned)} AS short, n FROM clean WHERE cleaned IS NOT NULL)
      SELECT ${fullNumber(short, cleaned)} AS x, n FROM shorter`),
    signal,
  );
  const [range] = await session.all(
    statement(
      duck`SELECT quantile_disc(x::DOUBLE, 0.02) AS low, quantile_disc(x::DOUBLE, 0.98) AS high FROM facet_numbers`,
    ),
    signal,
  );
  if (typeof range?.['low'] !== 'number' || typeof range['high'] !== 'number') return [];
  const { start, step, bars } = stepsOf(range['low'], range['high']);
  // As texts: numbers of twenty digits fit into no integer.
  const [from, size] = [String(start), String(step)];
  const place = duck`floor((x::DOUBLE - CAST(${from} AS DOUBLE)) / CAST(${size} AS DOUBLE))`;
  const rows = await session.all(
    statement(duck`
      SELECT least(greatest(${place}, 0), ${ownNumber(bars - 1)})::INT AS bar,
        min(x)::VARCHAR AS low, max(x)::VARCHAR AS high, sum(n)::BIGINT AS n
      FROM facet_numbers WHERE x IS NOT NULL GROUP BY bar ORDER BY bar`),
    signal,
  );
  return rows.map((row) => ({ from: shorten(row['low']), to: shorten(row['high']), items: Number(row['n']) }));
}

/** Returns steps of 1, 2 or 5 times a power of ten, from below `low` to above `high`. */
export function stepsOf(low: number, high: number): { start: number; step: number; bars: number } {
  const rough = (high - low) / BARS;
  if (!(rough > 0)) return { start: low, step: 1, bars: 1 };
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10);
  const start = Math.floor(low / step) * step;
  return { start, step, bars: Math.floor((high - start) / step) + 1 };
}

/** Removes trailing zeros: 12.5000000000 becomes 12.5. */
const shorten = (decimal: unknown): string =>
  String(decimal)
    .replace(/(\.[0-9]*?)0+$/, '$1')
    .replace(/\.$/, '');
