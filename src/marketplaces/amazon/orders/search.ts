import { z } from 'zod';
import type { ChannelOrder, OrderPage } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { AmazonClient } from '#marketplaces/amazon/client.ts';
import { unreadable } from '#marketplaces/amazon/failures.ts';
import type { AmazonAccount } from '#marketplaces/amazon/settings.ts';
import { AmazonOrder, OrderAnswer, OrderId, OrdersAnswer } from './order-answers.ts';
import { readOrder } from './read-order.ts';

export const searchRate = { perSecond: 0.0056, burst: 20 };
export const getRate = { perSecond: 0.5, burst: 30 };

/** The parts of an order to request. Costs, promotions and payments are left out: nothing here needs them. */
const DATASETS = ['BUYER', 'RECIPIENT', 'PROCEEDS', 'CANCELLATION', 'FULFILLMENT', 'PACKAGES', 'TAX'].join(',');
/** Amazon's list of changes ends two minutes before the present. */
const DISTANCE_MS = 2 * 60_000;

/** A page token is only valid with the same other parameters, so the cursor holds both. */
const Cursor = z.tuple([z.iso.datetime(), z.string().min(1)]);

/** Returns one page of the orders changed since a time, oldest change first. @throws MarketplaceError */
export async function changedOrders(
  client: AmazonClient,
  account: AmazonAccount,
  {
    since,
    cursor,
    now,
    signal,
  }: { since: Date; cursor?: string | undefined; now: Date; signal?: AbortSignal | undefined },
): Promise<OrderPage> {
  const present = now.getTime() - DISTANCE_MS;
  const [after, token] =
    cursor === undefined ? [new Date(Math.min(since.getTime(), present)).toISOString()] : read(cursor);
  const answer = OrdersAnswer.safeParse(
    await client
      .ask({
        method: 'GET',
        path: searchPath(account, after, token),
        access: 'read',
        operation: 'searchOrders',
        about: 'order',
        perSecond: searchRate.perSecond,
        signal,
      })
      .catch((error: unknown) => {
        // Page tokens expire after a day; then the search starts again.
        if (token !== undefined && error instanceof MarketplaceError && error.kind === 'permanent') throw noPage(error);
        throw error;
      }),
  );
  if (!answer.success) throw unreadable('read');
  const { pagination, lastUpdatedBefore } = answer.data;
  const found = answer.data.orders.map((raw) => ({ raw, parsed: AmazonOrder.safeParse(raw) }));
  const orders = found.flatMap(({ parsed }) => (parsed.success ? [readOrder(parsed.data, account.currency)] : []));
  const lost = found.flatMap(({ raw, parsed }) => (parsed.success ? [] : [OrderId.safeParse(raw).data?.orderId ?? '']));
  const next = pagination?.nextToken ?? '';
  return {
    orders: orders.toSorted((one, other) => one.changedAt.getTime() - other.changedAt.getTime()),
    next: next === '' ? undefined : Buffer.from(JSON.stringify([after, next])).toString('base64url'),
    asOf: lastUpdatedBefore ?? new Date(present),
    ...(lost.length === 0 ? {} : { unreadable: lost }),
  };
}

const noPage = (cause: unknown) =>
  new MarketplaceError('permanent', 'Diese Seite der Bestellungen gibt es nicht (mehr).', { field: 'cursor', cause });

function read(cursor: string): [after: string, token: string] {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (error) {
    throw noPage(error);
  }
}

/** Returns the path of searchOrders: orders changed since `after` in the account's marketplace. */
export function searchPath({ marketplace }: AmazonAccount, after: string, token: string | undefined): string {
  const query = new URLSearchParams({
    lastUpdatedAfter: after,
    marketplaceIds: marketplace,
    maxResultsPerPage: '100',
    includedData: DATASETS,
    ...(token === undefined ? {} : { paginationToken: token }),
  });
  return `/orders/2026-01-01/orders?${query.toString()}`;
}

export const orderPath = (order: string): string =>
  `/orders/2026-01-01/orders/${encodeURIComponent(order)}?includedData=${encodeURIComponent(DATASETS)}`;

/** Returns one order in its present state; undefined: Amazon does not know it. @throws MarketplaceError */
export async function findOrder(
  client: AmazonClient,
  account: AmazonAccount,
  order: string,
  signal: AbortSignal | undefined,
): Promise<ChannelOrder | undefined> {
  const answer = await client
    .ask({
      method: 'GET',
      path: orderPath(order),
      access: 'read',
      operation: 'getOrder',
      about: 'order',
      perSecond: getRate.perSecond,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof MarketplaceError && error.kind === 'permanent' && error.field === 'order') return undefined;
      throw error;
    });
  if (answer === undefined) return undefined;
  const parsed = OrderAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable('read');
  return readOrder(parsed.data.order, account.currency);
}
