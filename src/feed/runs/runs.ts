import { z } from 'zod';
import { FieldDrift } from '#shared/difference/schema.ts';
import { Run } from '#shared/runs/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';

const Progress = z
  .object({ done: z.number(), total: z.number(), phase: z.string() })
  .catch({ done: 0, total: 0, phase: '' });

/** What the result of an import or export job holds; everything is absent while it runs. */
export const RunResult = z.object({
  rowsIn: z.number().int().nullable().default(null),
  accepted: z.number().int().nullable().default(null),
  rejected: z.number().int().nullable().default(null),
  duplicates: z.number().int().nullable().default(null),
  snapshot: z.number().int().nullable().default(null),
  difference: Run.shape.difference.default(null),
  /** Number of the file that an export run made. */
  output: z.number().int().nullable().default(null),
  /** Number of the state that the run's was compared with. */
  against: z.number().int().nullable().default(null),
  drifts: z.array(FieldDrift).default([]),
  /** Why somebody is to be told although the state was accepted (DIF-03). */
  deviation: z.array(z.string()).default([]),
  warnings: z.array(z.string()).default([]),
  detected: z.string().nullable().default(null),
});
export type RunResult = z.infer<typeof RunResult>;

/** An order that cannot be read has failed for that (job-definition.ts), and is to be seen in the list all the same. */
const Payload = z.object({
  owner: z.string().catch(''),
  source: z.string().nullable().catch(null),
  by: z.string().nullable().catch(null),
  sealedUrl: z.string().optional().catch(undefined),
});

/** What started over again does the same: an uploaded file is not kept, an address is asked once more. */
export const isRetryable = ({ kind, state, payload }: Pick<Job, 'kind' | 'state' | 'payload'>): boolean =>
  (state === 'failed' || state === 'cancelled') &&
  (kind === 'export' ||
    kind === 'stock' ||
    kind === 'upload' ||
    (kind === 'import' && Payload.parse(JSON.parse(payload)).sealedUrl !== undefined));

/** A job's row as the wire shows it. */
export function toRun(job: Job): Run {
  const payload = Payload.parse(JSON.parse(job.payload));
  const { output: _output, against: _against, drifts: _drifts, ...result } = RunResult.parse(JSON.parse(job.result));
  return {
    runid: job.id,
    kind: runKindOf(job),
    owner: payload.owner,
    source: payload.source,
    startedBy: payload.by,
    retryable: isRetryable(job),
    state: job.state,
    progress: Progress.parse(JSON.parse(job.progress)),
    ...result,
    message: job.message,
    createdAt: job.created_at.toISOString(),
    startedAt: job.started_at?.toISOString() ?? null,
    finishedAt: job.finished_at?.toISOString() ?? null,
  };
}

/** What a run is called on the wire. @throws 404 for jobs that are no runs (an e-mail, the maintenance) and kinds that nobody knows */
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

/** The job of a run, to be changed. @throws 404 also for jobs that are no runs: a night's maintenance is nobody's to call off as one */
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

/** Ids name the job's subject: imports of a master and runs of an export queue one after the other. */
export const importSubject = (masterid: string) => `master:${masterid}`;
export const uploadSubject = (id: string) => `upload:${id}`;
export const stockSubject = (id: string) => `stock:${id}`;
export const exportSubject = (id: string) => `export:${id}`;
