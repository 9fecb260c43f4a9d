import { join, duck, type Sql } from '#platform/duckdb/sql.ts';
import { carried, count, itemsOn, listOf } from '#engine/duckdb/aggregates.ts';
import type { Program } from '#engine/duckdb/program.ts';

type Row = Readonly<Record<string, unknown>>;
type Histogram = ReadonlyMap<string, number>;

/** Collects aggregates over the items of one program, each with a callback for its result, and runs them as one statement. */
export class Questions {
  private readonly counts: { readonly flag: Sql; readonly tell: (items: number) => void }[] = [];
  private readonly histograms: { readonly column: Sql; readonly tell: (found: Histogram) => void }[] = [];

  /** Counts the items for which `flag` is true. */
  count(flag: Sql, onResult: (items: number) => void): void {
    this.counts.push({ flag, tell: onResult });
  }

  /** Counts how often each value of an expression, as text, occurs; NULL is not counted. */
  histogram(column: Sql, onResult: (found: Histogram) => void): void {
    this.histograms.push({ column, tell: onResult });
  }

  /** Returns all collected aggregates, and a function that passes the values of the result row to the callbacks. */
  asked(program: Program): { aggregates: Sql[]; tell: (row: Row) => void } {
    const flags = carried(
      program,
      this.counts.map(({ flag }) => flag),
    );
    const counted = listOf(flags.map(itemsOn));
    const found = this.histograms.map(({ column }) => duck`histogram(CAST(${column} AS VARCHAR))`);
    const histograms = found.length === 0 ? [] : [duck`[${join(found, duck`, `)}] AS histograms`];
    return {
      aggregates: [duck`${counted} AS answers`, ...histograms],
      tell: (row) => {
        const answers: readonly unknown[] = Array.isArray(row['answers']) ? row['answers'] : [];
        const values: readonly unknown[] = Array.isArray(row['histograms']) ? row['histograms'] : [];
        this.counts.forEach(({ tell }, index) => tell(count(answers[index])));
        this.histograms.forEach(({ tell }, index) => tell(readHistogram(values[index])));
      },
    };
  }
}

function readHistogram(value: unknown): Map<string, number> {
  const found = new Map<string, number>();
  if (!Array.isArray(value)) return found;
  for (const entry of value) {
    if (typeof entry !== 'object' || entry === null || !('key' in entry) || !('value' in entry)) continue;
    found.set(String(entry.key), count(entry.value));
  }
  return found;
}
