import type { Account } from '#marketplaces/accounts/accounts.ts';
import { addNotification } from '#notifications/notifications.ts';
import type { Trx } from '#platform/db/database.ts';
import { dayOf } from '#orders/model/order-state.ts';
import { integerText } from '#shared/values/integer-text.ts';
import type { AccountDeps } from './account-orders.ts';
import type { Walk } from './poll-walks.ts';

const wait: Readonly<Record<Walk, string>> = {
  quick: 'Neue Bestellungen kommen später; Kontor versucht es weiter. Bitte sehen Sie bis dahin beim Marktplatz nach.',
  back: 'Er kommt später; Kontor versucht es weiter. Neue Bestellungen werden weiter gelesen.',
};

/** Notifies people that a walk fails, once a day. */
export const notifyFailed = (
  { database, clock }: AccountDeps,
  account: Account,
  walk: Walk,
  reason: string,
): Promise<void> =>
  database.company(account.company, (trx) =>
    addNotification(trx, account.company, {
      id: `orders-${walk === 'back' ? 'back-' : ''}${account.id}-${dayOf(clock.now())}`,
      event: 'failed',
      title:
        walk === 'back'
          ? `Fehlgeschlagen: Abgleich der letzten 30 Tage von „${account.name}“`
          : `Fehlgeschlagen: Bestellungen von „${account.name}“`,
      text: `${reason} ${wait[walk]}`,
      path: '/einstellungen/kanaele',
    }),
  );

/** Notifies people of the orders that the nightly look back found and the quick walk had missed. */
export async function notifyLost(trx: Trx, account: Account, night: string, found: number): Promise<void> {
  const what = found === 1 ? 'eine Bestellung' : `${integerText(found)} Bestellungen`;
  await addNotification(trx, account.company, {
    id: `orders-lost-${account.id}-${night}`,
    event: 'order',
    title: `Nachgeholt: Bestellungen von „${account.name}“`,
    text: `Der nächtliche Abgleich hat ${what} gefunden, deren Stand hier nicht der letzte war. Jetzt stimmt er.`,
    path: '/bestellungen?filter=alle',
  });
}

/** Notifies people of orders that arrived in a form which cannot be parsed or stored. */
export async function notifyUnreadable(
  { database, clock, log }: AccountDeps,
  account: Account,
  orders: readonly string[],
): Promise<void> {
  log.error({ account: account.id, orders }, 'orders of a marketplace could not be read');
  const named = orders
    .filter((order) => order !== '')
    .slice(0, 5)
    .join(', ');
  const what = orders.length === 1 ? 'Eine Bestellung' : `${integerText(orders.length)} Bestellungen`;
  await database.company(account.company, (trx) =>
    addNotification(trx, account.company, {
      id: `orders-unreadable-${account.id}-${dayOf(clock.now())}`,
      event: 'failed',
      title: `Nicht lesbar: Bestellungen von „${account.name}“`,
      text: `${what} kamen in einer Form, die Kontor nicht versteht${named === '' ? '' : ` (${named})`}. Bitte bearbeiten Sie sie beim Marktplatz, und melden Sie es dem Betreiber.`,
      path: '/bestellungen?filter=alle',
    }),
  );
}
