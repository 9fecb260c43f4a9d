import type { Metrics } from '#platform/telemetry/metrics.ts';

const outcomes = ['accepted', 'rejected', 'duplicates'] as const;
type Read = Readonly<Record<(typeof outcomes)[number], number>>;

/** Returns a function that counts an import's rows in the metrics, by outcome. */
export function rowCounter(metrics: Metrics): (read: Read) => void {
  const rows = metrics.counter('kontor_import_rows_total', 'Rows that imports read, by outcome.', ['outcome']);
  return (read) => {
    for (const outcome of outcomes) rows.add({ outcome }, read[outcome]);
  };
}
