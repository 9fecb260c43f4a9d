import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { route } from '#platform/http/server.ts';
import { lastBackup, outgoingHold, releaseOutgoing } from '#platform/installation-facts.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { requireOperator } from './operator.ts';

export type OperationDeps = { database: Database; clock: Clock; log: Log; adminEmail: string | undefined };

/** A backup a day, and a day to notice that one is missing. */
const BACKUP_OVERDUE_MS = 48 * 60 * 60 * 1000;

/** What the operator asks of his installation. */
export function operationRoutes(app: FastifyInstance, { database, clock, log, adminEmail }: OperationDeps): void {
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

  route(app, api.releaseOutgoing, async ({ principal }) => {
    await requireOperator(database, principal, adminEmail);
    await database.system(releaseOutgoing);
    log.info({ by: principal.userId }, 'outgoing work released after a restore');
    return { ok: true as const };
  });
}
