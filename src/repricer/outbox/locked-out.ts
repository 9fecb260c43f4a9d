import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { MarketplaceError } from '#marketplaces/port.ts';
import { addNotification } from '#notifications/notifications.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';

/**
 * Tells people once a day for an account that its marketplace refuses us where prices are sent or looked up: that never mends itself, and
 * prices that only stay as they are strike nobody. Other failures pass, and are tried again.
 */
export async function tellLockedOut(
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
  { company, id, name }: Account,
  { kind, message }: Pick<MarketplaceError, 'kind' | 'message'>,
): Promise<void> {
  if (kind !== 'auth') return;
  const day = clock.now().toISOString().slice(0, 10);
  const told = database.company(company, (trx) =>
    addNotification(trx, company, {
      id: `prices-${id}-${day}`,
      event: 'failed',
      title: `Fehlgeschlagen: Preise von „${name}“`,
      text: `${message} Kontor kann für dieses Konto deshalb Angebote oder Preise nicht abfragen oder senden; solange bleiben Preise, wie sie sind. Es versucht es weiter. Bitte prüfen Sie die Zugangsdaten und Berechtigungen des Kontos.`,
      path: '/einstellungen/kanaele',
    }),
  );
  // If it cannot be written now, the next refusal writes it.
  await told.catch((error: unknown) => log.error({ err: error, account: id }, 'not told'));
}
