import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { KontorError } from '#platform/errors.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { route } from '#platform/http/server.ts';
import { lastBackup, outgoingHold, releaseOutgoing } from '#platform/installation-facts.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { jobLabel } from '#shared/operations/installation-use.ts';
import { installationUse, namesOf, type UseDeps } from './installation-use.ts';
import { requireOperator } from './operator.ts';
import { retryableOf, retryJobs } from './retry-jobs.ts';

export type OperationDeps = UseDeps & {
  log: Log;
  adminEmail: string | undefined;
  jobs: Pick<Jobs, 'cancel' | 'nudge'>;
};

/** A backup a day, and a day to notice that one is missing. */
const BACKUP_OVERDUE_MS = 48 * 60 * 60 * 1000;

/** What the operator asks of his installation. */
export function operationRoutes(app: FastifyInstance, deps: OperationDeps): void {
  const { database, clock, log, jobs, adminEmail } = deps;
  route(app, api.installation, async ({ principal }) => {
    await requireOperator(database, principal, adminEmail);
    return database.system(async (trx) => {
      const backup = (await lastBackup(trx)) ?? null;
      const age = backup === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - Date.parse(backup.at);
      return {
        hold: (await outgoingHold(trx)) ?? null,
        lastBackup: backup,
        backupOverdue: age > BACKUP_OVERDUE_MS,
      };
    });
  });

  route(app, api.installationUse, async ({ principal }) => {
    await requireOperator(database, principal, adminEmail);
    return installationUse(deps);
  });

  route(app, api.cancelJob, async ({ principal, params: { company, id }, audit }) => {
    await requireOperator(database, principal, adminEmail);
    await jobs.cancel(company, id, (trx) => audit.within(trx));
    log.info({ by: principal.userId, company, job: id }, 'job cancelled by the operator');
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
    log.info({ by: principal.userId, started: result.started }, 'failed jobs tried again by the operator');
    return result;
  });

  route(app, api.releaseOutgoing, async ({ principal, audit }) => {
    await requireOperator(database, principal, adminEmail);
    await database.system(async (trx) => {
      await releaseOutgoing(trx);
      await audit.within(trx);
    });
    log.info({ by: principal.userId }, 'outgoing work released after a restore');
    return { ok: true as const };
  });
}
