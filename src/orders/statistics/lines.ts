import type { Trx } from '#platform/db/database.ts';
import { namedChannels, type NamedChannel } from '#orders/model/named-channels.ts';

/** Currency of the sums; other currencies are added only if a rate is known. */
export const CURRENCY = 'EUR';

/** A line of the statistic: the sales of one channel in one currency. */
export type StatisticLine = { name: string; position: number };

const keyOf = (channel: string, currency: string) => `${channel}\n${currency}`;

/**
 * Returns the line of each channel and currency the company ever had, in the order in which the channels began, euro first. With
 * current names; a deleted channel keeps the place of its first order.
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
  const channels = await namedChannels(trx, company, [...new Set(counted.map(({ channel }) => channel))]);
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

function nameOf(channel: NamedChannel | undefined, currency: string): string {
  const name = channel?.name ?? 'gelöschter Kanal';
  return currency === CURRENCY ? name : `${name} (${currency})`;
}
