import type { Account, OpenConnector } from '#marketplaces/accounts/accounts.ts';
import type { ChannelOrder, OrderPort } from '#marketplaces/orders-port.ts';
import type { TokenBuckets } from '#platform/token-buckets.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { EventSource } from '#orders/model/order-record.ts';
import { takeOrders, type IntakeResult } from './take-orders.ts';

export type AccountDeps = {
  database: Database;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  open: OpenConnector;
  buckets: TokenBuckets;
  log: Log;
};

/** Orders of one transaction: a page of a marketplace may be long, and nobody shall wait for all of it. */
const TOGETHER = 50;

/** Stores what an account's marketplace shows of orders; one answer an order, in their order. */
export async function takeAccountOrders(
  { database, clock, ...deps }: AccountDeps,
  { company, id, name }: Account,
  orders: readonly ChannelOrder[],
  by: EventSource,
): Promise<IntakeResult[]> {
  const results: IntakeResult[] = [];
  for (let start = 0; start < orders.length; start += TOGETHER) {
    const some = orders.slice(start, start + TOGETHER);
    const incoming = { channel: id, channelName: name, source: 'marketplace' as const, by, author: '', orders: some };
    results.push(...(await database.company(company, (trx) => takeOrders(trx, deps, company, incoming, clock.now()))));
  }
  return results;
}

/** How many calls of a kind may be made now. */
export const callsNow = (
  { buckets, clock }: AccountDeps,
  { company, id }: Account,
  { support }: OrderPort,
  kind: 'changes' | 'order',
  most: number,
): Promise<number> => buckets.take(`${company}/${id}/orders:${kind}`, support.rates[kind], most, clock.now());
