import type { OrderNews } from '#marketplaces/port.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { Trx } from '#platform/db/database.ts';

/**
 * Requests that an order of an account be read from its marketplace, not before `notBefore`. A later hint replaces an earlier
 * one.
 */
export async function addHint(
  trx: Trx,
  company: string,
  channel: string,
  order: string,
  now: Date,
  notBefore: Date = now,
): Promise<void> {
  await trx
    .insertInto('order_hints')
    .values({ company, channel, order_id: order, since: now, not_before: notBefore, tries: 0 })
    .onConflict((conflict) =>
      conflict.columns(['company', 'channel', 'order_id']).doUpdateSet((eb) => ({
        since: eb.ref('excluded.since'),
        not_before: eb.ref('excluded.not_before'),
        tries: 0,
      })),
    )
    .execute();
}

/** Adds a hint for each order that messages mention; the message itself is not trusted, the order is read from its account. */
export async function hintOrders(trx: Trx, company: string, news: readonly OrderNews[], now: Date): Promise<void> {
  if (news.length === 0) return;
  const accounts = await listAccounts(trx, company);
  const same = (one: string, other: string) => one.trim().toUpperCase() === other.trim().toUpperCase();
  const hints = new Map<string, { channel: string; order: string }>();
  for (const { sellerId, marketplace, order } of news)
    for (const account of accounts)
      if (account.active && account.marketplace === marketplace && same(account.sellerId, sellerId))
        hints.set(`${account.id}\n${order}`, { channel: account.id, order });
  for (const [, { channel, order }] of [...hints].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await addHint(trx, company, channel, order, now);
}

/** Returns the accounts with due hints, as `company/channel`. Runs in a system transaction. */
export async function hintedChannels(trx: Trx, now: Date): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('order_hints')
    .select(['company', 'channel'])
    .distinct()
    .where('not_before', '<=', now)
    .execute();
  return new Set(rows.map(({ company, channel }) => `${company}/${channel}`));
}

/** Deletes the hints of an account whose orders cannot be read. */
export async function deleteHints(trx: Trx, company: string, channel: string): Promise<void> {
  await trx
    .deleteFrom('order_hints')
    .where((eb) => eb.and({ company, channel }))
    .execute();
}
