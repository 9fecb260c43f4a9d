import { planDeliveries } from './deliveries.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Permission } from '#shared/http/call.ts';
import { Notification, type NotificationEvent, notificationEventNames } from '#shared/live/schema.ts';

type NewNotification = { id: string; event: NotificationEvent; title: string; text: string; path: string };

/** Notifies the company's users on the pages and on the channels they chose; an id notifies only once. */
export async function addNotification(trx: Trx, company: string, notification: NewNotification): Promise<void> {
  const { id, event, title, text, path } = notification;
  const added = await trx
    .insertInto('notifications')
    .values({ company, id, event, title, text, path })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 1n) await planDeliveries(trx, company, notification);
}

type Reader = { company: string; permissions: readonly Permission[] };

/**
 * Returns the kinds that a user is shown. The texts about undelivered messages name the addresses of members, invited people and
 * recipients, which only those may see who manage them.
 */
const shownTo = ({ permissions }: Reader): readonly string[] =>
  permissions.includes('admin')
    ? notificationEventNames
    : notificationEventNames.filter((one) => one !== 'undelivered');

export async function listNotifications(
  trx: Trx,
  reader: Reader,
  page: { offset: number; limit: number },
): Promise<{ notifications: Notification[]; total: number }> {
  const all = trx
    .selectFrom('notifications')
    .where('company', '=', reader.company)
    .where('event', '=', anyOf(shownTo(reader)));
  const rows = await all
    .select(['id', 'event', 'title', 'text', 'path', 'created_at', 'read_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { n } = await all.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  return {
    notifications: rows.map(({ created_at: createdAt, read_at: readAt, ...row }) =>
      Notification.parse({ ...row, createdAt: createdAt.toISOString(), read: readAt !== null }),
    ),
    total: n,
  };
}

export async function countUnread(trx: Trx, reader: Reader): Promise<number> {
  const { n } = await trx
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) => eb.and({ company: reader.company, read_at: null }))
    .where('event', '=', anyOf(shownTo(reader)))
    .executeTakeFirstOrThrow();
  return n;
}

/** Marks the notification of something that waited for a decision as read, and adds what was decided. */
export async function settle(trx: Trx, company: string, id: string, decision: string): Promise<void> {
  await trx
    .updateTable('notifications')
    .set((eb) => ({
      read_at: eb.fn.coalesce('read_at', eb.fn<Date>('now')),
      text: eb('text', '||', ` ${decision}`),
    }))
    .where((eb) => eb.and({ company, id }))
    .execute();
}

/** The same for those of these that nobody has read yet, whose own wait has ended with another's decision. */
export async function settleUnread(trx: Trx, company: string, ids: readonly string[], why: string): Promise<void> {
  await trx
    .updateTable('notifications')
    .set((eb) => ({ read_at: eb.fn<Date>('now'), text: eb('text', '||', ` ${why}`) }))
    .where((eb) => eb.and([eb('company', '=', company), eb('read_at', 'is', null), eb('id', '=', anyOf(ids))]))
    .execute();
}

/** Marks the given notifications, or all that the user is shown, as read: for the whole company. */
export async function markRead(trx: Trx, reader: Reader, ids: readonly string[] | undefined): Promise<void> {
  await trx
    .updateTable('notifications')
    .set((eb) => ({ read_at: eb.fn<Date>('now') }))
    .where((eb) => eb.and({ company: reader.company, read_at: null }))
    .where('event', '=', anyOf(shownTo(reader)))
    .where((eb) => (ids === undefined ? eb.lit(true) : eb('id', '=', anyOf(ids))))
    .execute();
}
