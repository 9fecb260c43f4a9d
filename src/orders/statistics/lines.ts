import { ExportSettings } from '#shared/exports/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { anyOf } from '#platform/db/pg.ts';

/** What the sums are in; amounts of other currencies are added to them only by a rate. */
export const CURRENCY = 'EUR';

/** A line of the statistic: what one channel sold in one currency. */
export type StatisticLine = { name: string; position: number };
type Channel = { id: string; name: string; createdAt: Date };

const keyOf = (channel: string, currency: string) => `${channel}\n${currency}`;

/**
 * Every line that the company ever had, in the order in which its channels began, euro first. Named as the channels are today; one
 * that is gone keeps the place of its first order.
 */
export async function statisticLines(
  trx: Trx,
  company: string,
): Promise<(channel: string, currency: string) => StatisticLine> {
  const counted = await trx
    .selectFrom('order_days')
    .select(['channel', 'currency'])
    .select(({ fn }) => fn.min('day').as('first'))
    .where('company', '=', company)
    .groupBy(['channel', 'currency'])
    .execute();
  const channels = await channelsOf(trx, company, [...new Set(counted.map(({ channel }) => channel))]);
  const began = ({ channel, first }: { channel: string; first: string }) =>
    channels.get(channel)?.createdAt.getTime() ?? Date.parse(first);
  const foreign = (currency: string) => Number(currency !== CURRENCY);
  const inOrder = counted.toSorted(
    (one, other) =>
      began(one) - began(other) ||
      one.channel.localeCompare(other.channel) ||
      foreign(one.currency) - foreign(other.currency) ||
      one.currency.localeCompare(other.currency),
  );
  const lines = new Map(
    inOrder.map(({ channel, currency }, position): [string, StatisticLine] => [
      keyOf(channel, currency),
      { name: nameOf(channels.get(channel), currency), position },
    ]),
  );
  return (channel, currency) =>
    lines.get(keyOf(channel, currency)) ?? { name: nameOf(channels.get(channel), currency), position: lines.size };
}

function nameOf(channel: Channel | undefined, currency: string): string {
  const name = channel?.name ?? 'gelöschter Kanal';
  return currency === CURRENCY ? name : `${name} (${currency})`;
}

/** Accounts at marketplaces and exports; those that are gone are left out. */
async function channelsOf(trx: Trx, company: string, ids: readonly string[]): Promise<ReadonlyMap<string, Channel>> {
  const accounts = await trx
    .selectFrom('marketplace_accounts')
    .select(['id', 'name', 'created_at'])
    .where('company', '=', company)
    .where('id', '=', anyOf(ids))
    .execute();
  const exports = await trx
    .selectFrom('exports')
    .select(['id', 'created_at'])
    .where('company', '=', company)
    .where('id', '=', anyOf(ids))
    .execute();
  const found = accounts.map(({ id, name, created_at: createdAt }): Channel => ({ id, name, createdAt }));
  for (const { id, created_at: createdAt } of exports) {
    const { body } = await loadDocument(trx, company, 'settings', `export:${id}`);
    found.push({ id, name: ExportSettings.parse(JSON.parse(body ?? '{}')).name, createdAt });
  }
  return new Map(found.map((channel) => [channel.id, channel]));
}
