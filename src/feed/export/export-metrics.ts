import { z } from 'zod';
import type { JobEnd } from '#platform/jobs/job.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';

/** The part of a run's result that counts its items. */
const Written = z.object({ accepted: z.number(), rejected: z.number() });

/** Counts the items of runs that wrote a file, by whether the file contains them. */
export function itemCounter(metrics: Metrics): (end: JobEnd) => void {
  const items = metrics.counter(
    'kontor_export_items_total',
    'Items of export runs, by whether they were written to the file.',
    ['outcome'],
  );
  return ({ result }) => {
    const { data } = Written.safeParse(result);
    if (data === undefined) return;
    items.add({ outcome: 'written' }, data.accepted);
    items.add({ outcome: 'left_out' }, data.rejected);
  };
}
