import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { Connector, MarketplaceError, Operation } from '#marketplaces/port.ts';
import type { Clock } from '#platform/clock.ts';
import type { TokenBuckets } from '#platform/token-buckets.ts';

export const bucketKey = (account: Account, operation: Operation): string =>
  `${account.company}/${account.id}/${operation}`;

/** Returns `list` in batches of the size that one call takes, as many batches as the rate allows now. */
export async function takeWithinRate<T>(
  { buckets, clock }: { buckets: TokenBuckets; clock: Clock },
  account: Account,
  connector: Connector,
  operation: Operation,
  list: readonly T[],
): Promise<T[][]> {
  const { batch, rates } = connector.capabilities();
  const size = Math.max(1, batch[operation]);
  const callCount = Math.ceil(list.length / size);
  const calls = await buckets.take(bucketKey(account, operation), rates[operation], callCount, clock.now());
  return Array.from({ length: calls }, (_, call) => list.slice(call * size, (call + 1) * size));
}

/** Delays further calls of this kind for the account until the time that its marketplace named; false if it named none. */
export async function waitAsNamed(
  { buckets, clock }: { buckets: TokenBuckets; clock: Clock },
  account: Account,
  connector: Connector,
  operation: Operation,
  { delayMs }: MarketplaceError,
): Promise<boolean> {
  if (delayMs === undefined) return false;
  const rate = connector.capabilities().rates[operation];
  await buckets.empty(bucketKey(account, operation), rate, delayMs / 1000, clock.now());
  return true;
}
