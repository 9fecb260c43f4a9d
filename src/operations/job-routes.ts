import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { route } from '#platform/http/server.ts';
import { pauseJobs, resumeJobs } from '#platform/installation-facts.ts';
import { drainProcess } from '#platform/processes/processes.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { jobLabel } from '#shared/operations/installation-use.ts';
import { namesOf, type UseDeps } from './installation-use.ts';
import { requireOperator } from './operator.ts';
import { retryableOf, retryJobs } from './retry-jobs.ts';

export type JobRouteDeps = UseDeps & {
  log: Log;
  adminEmail: string | undefined;
  jobs: Pick<Jobs, 'cancel' | 'nudge'>;
};

/** Calls by which the operator manages jobs of all companies. */
export function jobRoutes(app: FastifyInstance, deps: JobRouteDeps): void {
  const { database, clock, log, jobs, adminEmail } = deps;
  route(app, api.cancelJob, async ({ principal, params: { company, id }, audit }) => {
    await requireOperator(database, principal, adminEmail);
    await jobs.cancel(company, id, (trx) => audit.within(trx));
    log.info({ by: principal.userId, company, job: id }, 'job cancelled by the operator');
    return { ok: true as const };
  });

  route(app, api.pauseJobs, async ({ principal, body: { paused }, audit }) => {
    await requireOperator(database, principal, adminEmail);
    await database.system(async (trx) => {
      if (paused) await pauseJobs(trx, principal.name, clock.now());
      else await resumeJobs(trx);
      await audit.within(trx, paused ? 'angehalten' : 'wieder begonnen');
    });
    jobs.nudge();
    log.info({ by: principal.userId, paused }, 'jobs paused or resumed by the operator');
    return { ok: true as const };
  });

  route(app, api.drainProcess, async ({ principal, body: { name, drained }, audit }) => {
    await requireOperator(database, principal, adminEmail);
    await database.system(async (trx) => {
      if (!(await drainProcess(trx, name, drained ? principal.name : undefined))) throw notFound('Diesen Prozess');
      await audit.within(trx, `${name}: ${drained ? 'beginnt keine Läufe mehr' : 'beginnt wieder Läufe'}`);
    });
    jobs.nudge();
    log.info({ by: principal.userId, process: name, drained }, 'process drained or released by the operator');
    return { ok: true as const };
  });

  route(app, api.retryJobs, async ({ principal, body, audit }) => {
    await requireOperator(database, principal, adminEmail);
    const chosen = 'jobs' in body ? body.jobs : await database.system((trx) => retryableOf(trx, deps, body.kind));
    if (chosen.length === 0)
      throw new KontorError(
        409,
        'not_retryable',
        'Von dieser Art ist nichts gescheitert, das erneut zu versuchen wäre.',
      );
    const names = await namesOf(
      database,
      chosen.map(({ company }) => company),
    );
    const result = await retryJobs(deps, chosen, `${principal.name} (Betrieb)`, (trx, { company, id, kind }) =>
      audit.within(trx, `${names.get(company) ?? company}: ${jobLabel(kind)} ${id}`),
    );
    jobs.nudge();
    log.info({ by: principal.userId, started: result.started }, 'failed jobs retried by the operator');
    return result;
  });
}
