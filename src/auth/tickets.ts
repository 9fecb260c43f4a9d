import type { Clock } from '#platform/clock.ts';
import type { Accounts } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { hashOf } from './secrets.ts';

/** factor: the password was right, the second factor is pending; passkey, new-passkey: a challenge for a passkey. */
type Purpose = 'factor' | 'passkey' | 'new-passkey';
type TicketDeps = { database: Accounts; clock: Clock; ids: Ids };
type Content = { userId: string | null; challenge: string };

const TEN_MINUTES_MS = 10 * 60 * 1000;

/** Creates a ticket for the next request of a sign-in; returns its secret. */
export async function issueTicket(
  { database, clock, ids }: TicketDeps,
  purpose: Purpose,
  { userId, challenge }: Content,
): Promise<string> {
  const secret = ids.secret();
  const now = clock.now();
  await database.kysely.deleteFrom('sign_in_tickets').where('expires_at', '<', now).execute();
  const expires_at = new Date(now.getTime() + TEN_MINUTES_MS);
  await database.kysely
    .insertInto('sign_in_tickets')
    .values({ hash: hashOf(secret), purpose, user_id: userId, challenge, expires_at })
    .execute();
  return secret;
}

/** Returns a ticket's content; the ticket stays valid. @throws 401 if it has expired */
export async function readTicket({ database, clock }: TicketDeps, purpose: Purpose, secret: string): Promise<Content> {
  const found = await database.kysely
    .selectFrom('sign_in_tickets')
    .select(['user_id as userId', 'challenge'])
    .where((eb) => eb.and({ hash: hashOf(secret), purpose }))
    .where('expires_at', '>=', clock.now())
    .executeTakeFirst();
  if (!found) throw ticketOver();
  return found;
}

/** Returns a ticket's content and uses it up. @throws 401 if it has expired or was used before */
export async function useTicket({ database, clock }: TicketDeps, purpose: Purpose, secret: string): Promise<Content> {
  const used = await database.kysely
    .deleteFrom('sign_in_tickets')
    .where((eb) => eb.and({ hash: hashOf(secret), purpose }))
    .where('expires_at', '>=', clock.now())
    .returning(['user_id as userId', 'challenge'])
    .executeTakeFirst();
  if (!used) throw ticketOver();
  return used;
}

/** Ends sign-ins of a user whose second factor is pending. */
export async function removeTicketsOf({ kysely }: Accounts, userId: string): Promise<void> {
  await kysely
    .deleteFrom('sign_in_tickets')
    .where((eb) => eb.and({ user_id: userId, purpose: 'factor' }))
    .execute();
}

const ticketOver = () =>
  new KontorError(401, 'ticket_over', 'Dieser Anmeldeversuch ist abgelaufen. Bitte beginnen Sie von vorn.');
