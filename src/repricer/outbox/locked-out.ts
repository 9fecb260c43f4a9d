import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { MarketplaceError } from '#marketplaces/port.ts';
import { addNotification } from '#notifications/notifications.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';

/**
 * Notifies people once a day per account that its marketplace refuses our access: that never resolves itself, and unchanged
 * prices are noticed by nobody. Other failures are temporary and are retried.
 */
export async function notifyLockedOut(
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
  { company, id, name }: Account,
  { kind, message }: Pick<MarketplaceError, 'kind' | 'message'>,
): Promise<void> {
  if (kind !== 'auth') return;
  const day = clock.now().toISOString().slice(0, 10);
  const notified = database.company(company, (trx) =>
    addNotification(trx, company, {
      id: `prices-${id}-${day}`,
      event: 'failed',
      title: `Fehlgeschlagen: Preise von „${name}“`,
      text: `${message} Kontor kann für dieses Konto deshalb Angebote oder Preise nicht abfragen oder senden; solange bleiben Preise, wie sie sind. Es versucht es weiter. Bitte prüfen Sie die Zugangsdaten und Berechtigungen des Kontos.`,
      path: '/einstellungen/kanaele',
    }),
  );
  // If it cannot be written now, the next refusal writes it.
  await notified.catch((error: unknown) =>
    log.error({ err: error, account: id }, 'the notification about a refused account could not be written'),
  );
}
