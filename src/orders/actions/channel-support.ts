import { listAccounts, type Account, type OpenConnector } from '#marketplaces/accounts/accounts.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { namedChannels } from '#orders/model/named-channels.ts';
import { fileSupport, goneSupport, type ChannelSupport } from '#orders/model/possible.ts';

export type ChannelDeps = { database: Database; open: OpenConnector; log: Log };

/** A channel that orders come from. `support` undefined: no action is possible at present. `name` '': the channel was deleted. */
export type OrderChannel = {
  id: string;
  name: string;
  account: Account | undefined;
  support: ChannelSupport | undefined;
};

/**
 * Returns the given channels of a company by id: its marketplace accounts and its exports. An unknown id counts as a deleted
 * channel; callers check first that the order exists.
 */
export async function orderChannels(
  { database, open, log }: ChannelDeps,
  company: string,
  ids: readonly string[],
): Promise<Map<string, OrderChannel>> {
  const { accounts, named } = await database.company(company, async (trx) => ({
    accounts: (await listAccounts(trx, company)).filter(({ id }) => ids.includes(id)),
    named: await namedChannels(trx, company, ids),
  }));
  const ofAccounts = new Set(accounts.map(({ id }) => id));
  const channels: OrderChannel[] = [...named.values()]
    .filter(({ id }) => !ofAccounts.has(id))
    .map(({ id, name }) => ({ id, name, account: undefined, support: fileSupport }));
  for (const account of accounts) {
    // An account whose secrets cannot be read must not hide the orders of the others.
    const connector = await open(account).catch((error: unknown) => {
      log.error({ err: error, company, account: account.id }, 'the connector of a seller account could not be opened');
      return undefined;
    });
    channels.push({ id: account.id, name: account.name, account, support: connector?.orders?.support });
  }
  const known = new Map(channels.map((channel) => [channel.id, channel]));
  for (const id of ids) if (!known.has(id)) known.set(id, { id, name: '', account: undefined, support: goneSupport });
  return known;
}

/**
 * Returns the channel of an order. @throws KontorError 404 if no channel has the order, 409 if several have it and none was named
 */
export async function channelOf(
  trx: Trx,
  company: string,
  order: string,
  channel: string | undefined,
): Promise<string> {
  const rows = await trx
    .selectFrom('orders')
    .select('channel')
    .where((eb) => eb.and({ company, order_id: order }))
    .where((eb) => (channel === undefined ? eb.lit(true) : eb('channel', '=', channel)))
    .limit(2)
    .execute();
  const [first] = rows;
  if (first === undefined) throw new KontorError(404, 'not_found', 'Diese Bestellung gibt es nicht (mehr).');
  if (rows.length > 1)
    throw new KontorError(
      409,
      'ambiguous',
      'Mehrere Kanäle haben eine Bestellung mit dieser Nummer. Bitte nennen Sie den Kanal (?channel=). Es wurde nichts geändert.',
    );
  return first.channel;
}
