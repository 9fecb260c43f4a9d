import { deleteOldEvents, type SecurityLogDeps, verifySecurityLog } from '#auth/security-log.ts';
import type { Trx } from '#platform/db/database.ts';

type Notice = { id: string; event: 'failed'; title: string; text: string; path: string };
type NightDeps = SecurityLogDeps & { addNotification: (trx: Trx, company: string, notice: Notice) => Promise<unknown> };

/** Verifies a company's security log, notifies users if it is broken, and deletes old events only if it is intact. */
export async function securityLogAtNight(deps: NightDeps, company: string): Promise<void> {
  const { database, clock } = deps;
  const before = await database.company(company, (trx) =>
    trx.selectFrom('security_log_heads').select('broken').where('company', '=', company).executeTakeFirst(),
  );
  const broken = await verifySecurityLog(deps, company);
  if (broken === '') return deleteOldEvents(deps, company);
  if (broken === before?.broken) return;
  await database.company(company, (trx) =>
    deps.addNotification(trx, company, {
      id: `security-log-${company}-${clock.now().toISOString()}`,
      event: 'failed',
      title: 'Sicherheitsprotokoll verändert',
      text: `${broken} Gespeicherte Einträge wurden außerhalb von Kontor verändert, oder das Geheimnis der Installation ist ein anderes. Bitte lassen Sie die Datenbank prüfen und eine Sicherung vergleichen.`,
      path: '/einstellungen/sicherheitsprotokoll',
    }),
  );
}
