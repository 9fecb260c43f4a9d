import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import { defineFigures } from '#platform/telemetry/database-figures.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { isNext } from './take-job.ts';

/** Bucket bounds in seconds, from a tenth of a second to three hours. */
const LENGTHS = [0.1, 1, 10, 60, 600, 3600, 10_800];

/** Rare outcomes, counted from 0 so that their alert fires at the first one. */
const RARE = ['lease-lost', 'unwritten'];

/** Metrics of job attempts in this process. Outcomes: a job's state, `again`, `hand-back`, `lease-lost` or `unwritten`. */
export function jobMetrics(metrics: Metrics, kinds: Iterable<string>) {
  const seconds = metrics.durations(
    'kontor_job_seconds',
    'How long attempts at jobs took, by outcome.',
    ['kind', 'outcome'],
    LENGTHS,
  );
  for (const kind of kinds) for (const outcome of RARE) seconds.none({ kind, outcome });
  return { ended: (kind: string, outcome: string, took: number) => seconds.observe({ kind, outcome }, took) };
}

const Open = z.object({ kind: z.string(), state: z.string(), count: z.number(), seconds: z.number() }).array();

/**
 * Figures of queued and running jobs. The oldest is counted from when it may start: a job that waits for its next attempt is not
 * late, nor is one that waits for another job of its subject, as no worker could take it.
 */
export const jobFigures = defineFigures({
  gauges: {
    kontor_jobs: { help: 'Waiting and running jobs of all companies.', labels: ['kind', 'state'] },
    kontor_jobs_oldest_seconds: {
      help: 'How long the oldest could have been started, or has been running.',
      labels: ['kind', 'state'],
    },
  },
  read: async (trx) => {
    const { rows } = await pg`select q.kind, q.state, count(*)::int as count, greatest(0, extract(epoch from now()
          - min(case q.state when 'running' then q.taken_at else coalesce(q.not_before, q.created_at) end)
            filter (where q.state = 'running' or ${isNext})))::float8 as seconds
      from jobs q where q.state in ('queued', 'running') group by q.kind, q.state`.execute(trx);
    const open = Open.parse(rows);
    return {
      kontor_jobs: open.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
      kontor_jobs_oldest_seconds: open.map(({ kind, state, seconds }) => ({ labels: { kind, state }, value: seconds })),
    };
  },
});
