import type { Page } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** An order as a URL names it. */
export type OrderRef = { channel: string; orderid: string };

/** Orders printed at once; their personal data is read in one call. */
export const mostPrinted = 200;

/** Returns the URL of a print page for these orders; beyond the limit it names the first ones, and the number of others. */
export function printAddress(page: Page, orders: readonly OrderRef[]): string {
  const named = orders.slice(0, mostPrinted);
  const search = new URLSearchParams(
    named.map(({ channel, orderid }): [string, string] => ['b', `${channel}/${orderid}`]),
  );
  if (orders.length > named.length) search.set('weitere', String(orders.length - named.length));
  return `${pathTo(page)}?${search.toString()}`;
}

/** Parses the orders in a URL; empty: all open orders. */
export function printedOrders(search: URLSearchParams): OrderRef[] {
  return search
    .getAll('b')
    .slice(0, mostPrinted)
    .flatMap((text) => {
      const cut = text.indexOf('/');
      return cut < 1 || cut === text.length - 1 ? [] : [{ channel: text.slice(0, cut), orderid: text.slice(cut + 1) }];
    });
}

/** Returns the number of chosen orders beyond those in the URL. */
export function notPrinted(search: URLSearchParams): number {
  const others = Number(search.get('weitere') ?? '0');
  const known = Number.isSafeInteger(others) && others > 0 ? others : 0;
  return known + Math.max(0, search.getAll('b').length - mostPrinted);
}
