import { z } from 'zod';
import { FieldDrift } from '#shared/difference/schema.ts';
import { Run } from '#shared/runs/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';
import { nextAttempt } from '#platform/jobs/retries.ts';

const Progress = z
  .object({ done: z.number(), total: z.number(), phase: z.string() })
  .catch({ done: 0, total: 0, phase: '' });

/** The result of an import or export job; all fields are absent while it runs. */
export const RunResult = z.object({
  rowsIn: z.number().int().nullable().default(null),
  accepted: z.number().int().nullable().default(null),
  rejected: z.number().int().nullable().default(null),
  duplicates: z.number().int().nullable().default(null),
  snapshot: z.number().int().nullable().default(null),
  difference: Run.shape.difference.default(null),
  /** Number of the file that an export run made. */
  output: z.number().int().nullable().default(null),
  /** Number of the state that the run's state was compared with. */
  against: z.number().int().nullable().default(null),
  drifts: z.array(FieldDrift).default([]),
  /** Why users are notified although the state was accepted (DIF-03). */
  deviation: z.array(z.string()).default([]),
  warnings: z.array(z.string()).default([]),
  detected: z.string().nullable().default(null),
  /** It was held back, and a user has released or discarded it; the job's message says who. */
  decided: z.boolean().default(false),
});
export type RunResult = z.infer<typeof RunResult>;

/** Defaults for an unreadable payload: such a job has failed for that reason (job-definition.ts), but must still be listed. */
const Payload = z.object({
  owner: z.string().catch(''),
  source: z.string().nullable().catch(null),
  by: z.string().nullable().catch(null),
  sealedUrl: z.string().optional().catch(undefined),
});

/** Whether a retry would do the same work: an uploaded file is not kept, but an address can be fetched again. */
export const isRetryable = ({ kind, state, payload }: Pick<Job, 'kind' | 'state' | 'payload'>): boolean =>
  (state === 'failed' || state === 'cancelled') &&
  (kind === 'export' ||
    kind === 'stock' ||
    kind === 'upload' ||
    (kind === 'import' && Payload.parse(JSON.parse(payload)).sealedUrl !== undefined));

/** Converts a job's row to the wire format. */
export function toRun(job: Job): Run {
  const payload = Payload.parse(JSON.parse(job.payload));
  const {
    output: _output,
    against: _against,
    drifts: _drifts,
    decided,
    ...result
  } = RunResult.parse(JSON.parse(job.result));
  return {
    runid: job.id,
    kind: runKindOf(job),
    owner: payload.owner,
    source: payload.source,
    startedBy: payload.by,
    retryable: isRetryable(job),
    state: job.state,
    discarded: decided && job.state === 'cancelled',
    progress: Progress.parse(JSON.parse(job.progress)),
    ...result,
    message: messageOf(job),
    createdAt: job.created_at.toISOString(),
    startedAt: job.started_at?.toISOString() ?? null,
    finishedAt: job.finished_at?.toISOString() ?? null,
  };
}

/** A time as people read it, in German and in German time. */
export const runTime = new Intl.DateTimeFormat('de-DE', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Europe/Berlin',
});

/** The run's message, followed by when it is tried again if it waits for that. */
function messageOf(job: Job): string | null {
  const at = nextAttempt(job);
  if (job.message === null || at === undefined) return job.message;
  // Earlier versions stored a sentence about the next attempt, which grows old.
  return `${job.message.replace(/ Nächster Versuch in [^.]+\.$/, '')} Nächster Versuch: ${runTime.format(at)}.`;
}

/** Returns a run's kind on the wire. @throws 404 for jobs that are no runs (e-mail, maintenance) and for unknown kinds */
export function runKindOf({ kind }: Pick<Job, 'kind'>): Run['kind'] {
  const known = Run.shape.kind.safeParse(kind);
  if (!known.success) throw notFound('Diesen Lauf');
  return known.data;
}

export async function loadJob(trx: Trx, company: string, runid: string): Promise<Job> {
  const job = await trx
    .selectFrom('jobs')
    .selectAll()
    .where((eb) => eb.and({ company, id: runid }))
    .executeTakeFirst();
  if (!job) throw notFound('Diesen Lauf');
  return job;
}

/** Loads the job of a run to change it. @throws 404 also for jobs that are no runs: users must not cancel the maintenance */
export async function loadRun(trx: Trx, company: string, runid: string): Promise<Job> {
  const job = await loadJob(trx, company, runid);
  runKindOf(job);
  return job;
}

/** The last runs of a master's imports or an export, newest first. */
export async function listRuns(trx: Trx, company: string, subject: string, limit = 50): Promise<Run[]> {
  const rows = await trx
    .selectFrom('jobs')
    .selectAll()
    .where((eb) => eb.and({ company, subject }))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRun);
}

export async function lastRun(trx: Trx, company: string, subject: string): Promise<Run | null> {
  return (await listRuns(trx, company, subject, 1))[0] ?? null;
}

/** Subjects of jobs: imports of a master and runs of an export run one after the other. */
export const importSubject = (masterid: string) => `master:${masterid}`;
export const uploadSubject = (id: string) => `upload:${id}`;
export const stockSubject = (id: string) => `stock:${id}`;
export const exportSubject = (id: string) => `export:${id}`;
