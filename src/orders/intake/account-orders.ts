import type { Account, OpenConnector } from '#marketplaces/accounts/accounts.ts';
import type { ChannelOrder, OrderPort } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { TokenBuckets } from '#platform/token-buckets.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { isFaultOfData } from '#platform/errors.ts';
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

/** Orders stored in one transaction: a marketplace's page may be long and must not block others. */
const BATCH_SIZE = 50;

/** Stores the orders that an account's marketplace shows; returns one result per order, in their order. */
export async function takeAccountOrders(
  deps: AccountDeps,
  account: Account,
  orders: readonly ChannelOrder[],
  by: EventSource,
): Promise<IntakeResult[]> {
  const results: IntakeResult[] = [];
  for (const some of inBatches(orders)) results.push(...(await takeSome(deps, account, some, by)));
  return results;
}

/** Extra work in the transaction that stores the orders. */
type With = (trx: Trx, orders: readonly ChannelOrder[], results: readonly IntakeResult[]) => Promise<void>;

/** Stores orders so that one that cannot be stored does not hold up the others; its result is 'impossible'. */
export async function takeEachOrder(
  deps: AccountDeps,
  account: Account,
  orders: readonly ChannelOrder[],
  by: EventSource,
  also?: With,
): Promise<(IntakeResult | 'impossible')[]> {
  const results: (IntakeResult | 'impossible')[] = [];
  for (const some of inBatches(orders)) {
    try {
      results.push(...(await takeSome(deps, account, some, by, also)));
    } catch (error) {
      if (!isFaultOfData(error)) throw error;
      for (const one of some) results.push(await takeOne(deps, account, one, by, also));
    }
  }
  return results;
}

async function takeOne(
  deps: AccountDeps,
  account: Account,
  order: ChannelOrder,
  by: EventSource,
  also: With | undefined,
): Promise<IntakeResult | 'impossible'> {
  try {
    const [result = 'same'] = await takeSome(deps, account, [order], by, also);
    return result;
  } catch (error) {
    if (!isFaultOfData(error)) throw error;
    deps.log.error({ err: error, account: account.id, order: order.order }, 'an order could not be stored');
    return 'impossible';
  }
}

function inBatches(orders: readonly ChannelOrder[]): (readonly ChannelOrder[])[] {
  return Array.from({ length: Math.ceil(orders.length / BATCH_SIZE) }, (_, n) =>
    orders.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  );
}

const takeSome = (
  { database, clock, ...deps }: AccountDeps,
  { company, id, name }: Account,
  orders: readonly ChannelOrder[],
  by: EventSource,
  also?: With,
): Promise<IntakeResult[]> => {
  const incoming = { channel: id, channelName: name, source: 'marketplace' as const, by, author: '', orders };
  return database.company(company, async (trx) => {
    const results = await takeOrders(trx, deps, company, incoming, clock.now());
    await also?.(trx, orders, results);
    return results;
  });
};

type RateDeps = Pick<AccountDeps, 'buckets' | 'clock'>;
type ReadKind = 'changes' | 'order';
const readRate = ({ company, id }: Account, kind: ReadKind): string => `${company}/${id}/orders:${kind}`;

/** Takes up to `most` calls of a kind from the rate limit and returns how many may be made. */
export const callsNow = (
  { buckets, clock }: RateDeps,
  account: Account,
  { support }: OrderPort,
  kind: ReadKind,
  most: number,
): Promise<number> => buckets.take(readRate(account, kind), support.rates[kind], most, clock.now());

/** Delays further calls of a kind until the time that the marketplace named; false if it named none. */
export async function waitAsNamed(
  { buckets, clock }: RateDeps,
  account: Account,
  { support }: OrderPort,
  kind: ReadKind,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof MarketplaceError) || error.delayMs === undefined) return false;
  await buckets.empty(readRate(account, kind), support.rates[kind], error.delayMs / 1000, clock.now());
  return true;
}
