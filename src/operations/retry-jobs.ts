import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { noteRetried, type Repeats } from '#platform/jobs/repeat.ts';
import { type InstallationUse, jobLabel } from '#shared/operations/installation-use.ts';

export type RetryDeps = { database: Database; clock: Clock; repeats: Repeats };
type Chosen = { company: string; id: string };

const DAY_MS = 24 * 60 * 60_000;
/** Most failed jobs that are read, and most that are shown. */
const MOST = 500;
const SHOWN = 50;

/** Returns jobs of all companies that failed in the last day, newest first. */
async function failedJobs(trx: Trx, now: Date) {
  return trx
    .selectFrom('jobs as j')
    .leftJoin('jobs as r', (join) => join.onRef('r.company', '=', 'j.company').onRef('r.id', '=', 'j.retried_as'))
    .select(['j.company', 'j.id', 'j.kind', 'j.state', 'j.payload', 'j.finished_at'])
    .select(['j.retried_at', 'j.retried_by', 'r.state as retried_state'])
    .where('j.state', '=', 'failed')
    .where('j.finished_at', '>=', new Date(now.getTime() - DAY_MS))
    .orderBy('j.finished_at', 'desc')
    .orderBy('j.id')
    .limit(MOST)
    .execute();
}
type Failed = Awaited<ReturnType<typeof failedJobs>>[number];

const isOpen = (repeats: Repeats, job: Failed): boolean =>
  job.retried_at === null && repeats.get(job.kind)?.isPossible(job) === true;

/** Returns the recently failed jobs with what became of them, and the number of retryable jobs per kind. */
export async function failedUse(
  trx: Trx,
  { clock, repeats }: Pick<RetryDeps, 'clock' | 'repeats'>,
): Promise<{ failed: Omit<InstallationUse['failed'][number], 'companyName'>[]; retryable: Record<string, number> }> {
  const jobs = await failedJobs(trx, clock.now());
  const retryable: Record<string, number> = {};
  for (const job of jobs) if (isOpen(repeats, job)) retryable[job.kind] = (retryable[job.kind] ?? 0) + 1;
  const failed = jobs.slice(0, SHOWN).map((job) => ({
    id: job.id,
    company: job.company,
    kind: job.kind,
    failedAt: job.finished_at?.toISOString() ?? null,
    retryable: isOpen(repeats, job),
    retried:
      job.retried_at === null
        ? null
        : { by: job.retried_by ?? '', at: job.retried_at.toISOString(), state: job.retried_state },
  }));
  return { failed, retryable };
}

/** Returns all recently failed jobs of a kind that can be retried. */
export async function retryableOf(trx: Trx, { clock, repeats }: RetryDeps, kind: string): Promise<Chosen[]> {
  const jobs = await failedJobs(trx, clock.now());
  return jobs.filter((job) => job.kind === kind && isOpen(repeats, job));
}

/**
 * Retries failed jobs, each in a transaction of its own, so that one that cannot be repeated does not block the others. `record`
 * writes the event of each. @throws 409 if none was started
 */
export async function retryJobs(
  { database, clock, repeats }: RetryDeps,
  chosen: readonly Chosen[],
  by: string,
  record: (trx: Trx, job: Chosen & { kind: string }) => Promise<void>,
): Promise<{ started: number; refused: { company: string; id: string; message: string }[] }> {
  const refused: { company: string; id: string; message: string }[] = [];
  for (const { company, id } of chosen) {
    try {
      await database.system(async (trx) => {
        // Locked: if two operators retry at the same moment, the second finds it done.
        const query = trx
          .selectFrom('jobs')
          .selectAll()
          .where((eb) => eb.and({ company, id }));
        const job = await query.forUpdate().executeTakeFirst();
        if (job === undefined) throw notFound('Diesen Lauf');
        if (job.retried_at !== null)
          throw refusal(`Der Lauf wurde von ${job.retried_by ?? 'jemandem'} schon erneut gestartet.`);
        const repeat = repeats.get(job.kind);
        if (repeat?.isPossible(job) !== true)
          throw refusal(`Ein Lauf dieser Art (${jobLabel(job.kind)}) lässt sich nicht von hier aus erneut starten.`);
        const as = await repeat.again(trx, job, by);
        await noteRetried(trx, job, { by, as, at: clock.now() });
        await record(trx, job);
      });
    } catch (error) {
      if (!(error instanceof KontorError)) throw error;
      refused.push({ company, id, message: error.message });
    }
  }
  const [first] = refused;
  if (first !== undefined && refused.length === chosen.length) throw refusal(first.message);
  return { started: chosen.length - refused.length, refused };
}

const refusal = (message: string) => new KontorError(409, 'not_retryable', message);
