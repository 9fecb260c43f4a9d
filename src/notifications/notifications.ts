import { planDeliveries } from './deliveries.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { Notification, type NotificationEvent } from '#shared/live/schema.ts';

type NewNotification = { id: string; event: NotificationEvent; title: string; text: string; path: string };

/** Tells the company's people something, here and on the ways out that they chose; the same id tells it once. */
export async function addNotification(trx: Trx, company: string, told: NewNotification): Promise<void> {
  const { id, event, title, text, path } = told;
  const added = await pg`insert into notifications (company, id, event, title, text, path)
    values (${company}, ${id}, ${event}, ${title}, ${text}, ${path}) on conflict do nothing`.execute(trx);
  if (added.numAffectedRows === 1n) await planDeliveries(trx, company, told);
}

export async function listNotifications(
  trx: Trx,
  company: string,
  page: { offset: number; limit: number },
): Promise<{ notifications: Notification[]; total: number }> {
  const { rows } = await pg<Omit<NewNotification, 'event'> & { event: string; created_at: Date; read_at: Date | null }>`
    select id, event, title, text, path, created_at, read_at from notifications
    where company = ${company} order by created_at desc, id limit ${page.limit} offset ${page.offset}`.execute(trx);
  const { rows: counted } = await pg<{ n: string }>`
    select count(*) as n from notifications where company = ${company}`.execute(trx);
  return {
    notifications: rows.map(({ created_at: createdAt, read_at: readAt, ...row }) =>
      Notification.parse({ ...row, createdAt: createdAt.toISOString(), read: readAt !== null }),
    ),
    total: Number(counted[0]?.n ?? 0),
  };
}

export async function countUnread(trx: Trx, company: string): Promise<number> {
  const { rows } = await pg<{ n: string }>`
    select count(*) as n from notifications where company = ${company} and read_at is null`.execute(trx);
  return Number(rows[0]?.n ?? 0);
}

/** Marks the given ones, or all, as seen. */
export async function markRead(trx: Trx, company: string, ids: readonly string[] | undefined): Promise<void> {
  const chosen = ids === undefined ? pg`true` : pg`id = any(${[...ids]}::text[])`;
  await pg`update notifications set read_at = now()
    where company = ${company} and read_at is null and ${chosen}`.execute(trx);
}
