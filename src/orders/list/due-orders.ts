import type { Trx } from '#platform/db/database.ts';
import { namedChannels } from '#orders/model/named-channels.ts';
import { conditionOf, MOST } from './find-orders.ts';

export type DueChannel = { id: string; name: string; due: number; overdue: number };
export type DueOrder = { channel: string; channel_name: string; order_id: string; ship_by: Date | null };
type Wanted = { now: Date; endOfToday: Date; overdue: boolean };

const shipByIn = ({ now, endOfToday, overdue }: Wanted) => (overdue ? now : endOfToday);

/** Returns how many orders are due today or overdue, by channel; counts at most MOST, the most urgent first. */
export async function dueByChannel(trx: Trx, company: string, wanted: Wanted): Promise<DueChannel[]> {
  const some = trx
    .selectFrom('orders as o')
    .select(['o.channel', 'o.channel_name', 'o.ship_by'])
    .where('o.company', '=', company)
    .where(conditionOf('faellig', shipByIn(wanted)))
    .orderBy('o.ship_by')
    .limit(MOST);
  const found = await trx
    .selectFrom(some.as('s'))
    .select((eb) => [
      's.channel as id',
      eb.fn.max('s.channel_name').as('name'),
      eb.fn.countAll<number>().as('due'),
      eb.fn.countAll<number>().filterWhere('s.ship_by', '<', wanted.now).as('overdue'),
    ])
    .groupBy('s.channel')
    .orderBy('due', 'desc')
    .orderBy('id')
    .execute();
  const today = await namedChannels(
    trx,
    company,
    found.map(({ id }) => id),
  );
  return found.map((channel) => ({ ...channel, name: today.get(channel.id)?.name ?? channel.name }));
}

/** Returns the most urgent due orders; `channel` '' for all. */
export async function nextDue(
  trx: Trx,
  company: string,
  { channel, most, ...wanted }: Wanted & { channel: string; most: number },
): Promise<DueOrder[]> {
  return trx
    .selectFrom('orders as o')
    .select(['o.channel', 'o.channel_name', 'o.order_id', 'o.ship_by'])
    .where('o.company', '=', company)
    .where(conditionOf('faellig', shipByIn(wanted)))
    .where((eb) => (channel === '' ? eb.lit(true) : eb('o.channel', '=', channel)))
    .orderBy('o.ship_by')
    .orderBy('o.channel')
    .orderBy('o.order_id')
    .limit(most)
    .execute();
}
