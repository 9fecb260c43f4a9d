import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { route } from '#platform/http/server.ts';
import { jobsPause, lastBackup, outgoingHold, releaseOutgoing } from '#platform/installation-facts.ts';
import { installationUse } from './installation-use.ts';
import { jobRoutes, type JobRouteDeps } from './job-routes.ts';
import { requireOperator } from './operator.ts';

export type OperationDeps = JobRouteDeps;

/** One backup a day, and one day to notice that one is missing. */
const BACKUP_OVERDUE_MS = 48 * 60 * 60 * 1000;

/** Calls about the installation, for its operator. */
export function operationRoutes(app: FastifyInstance, deps: OperationDeps): void {
  const { database, clock, log, adminEmail } = deps;
  route(app, api.installation, async ({ principal }) => {
    await requireOperator(database, principal, adminEmail);
    return database.system(async (trx) => {
      const backup = (await lastBackup(trx)) ?? null;
      const age = backup === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - Date.parse(backup.at);
      return {
        hold: (await outgoingHold(trx)) ?? null,
        paused: (await jobsPause(trx)) ?? null,
        lastBackup: backup,
        backupOverdue: age > BACKUP_OVERDUE_MS,
      };
    });
  });

  route(app, api.installationUse, async ({ principal }) => {
    await requireOperator(database, principal, adminEmail);
    return installationUse(deps);
  });

  jobRoutes(app, deps);

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
