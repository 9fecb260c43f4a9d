import type { Page } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** An order as an address names it. */
export type OrderRef = { channel: string; orderid: string };

/** More orders than these are not printed at once: their persons are read in one call. */
export const mostPrinted = 200;

/** The address of a print page for these orders; of too many it names the first, and how many others there are. */
export function printAddress(page: Page, orders: readonly OrderRef[]): string {
  const named = orders.slice(0, mostPrinted);
  const search = new URLSearchParams(
    named.map(({ channel, orderid }): [string, string] => ['b', `${channel}/${orderid}`]),
  );
  if (orders.length > named.length) search.set('weitere', String(orders.length - named.length));
  return `${pathTo(page)}?${search.toString()}`;
}

/** The orders that an address names; none: all that are open. */
export function printedOrders(search: URLSearchParams): OrderRef[] {
  return search
    .getAll('b')
    .slice(0, mostPrinted)
    .flatMap((text) => {
      const cut = text.indexOf('/');
      return cut < 1 || cut === text.length - 1 ? [] : [{ channel: text.slice(0, cut), orderid: text.slice(cut + 1) }];
    });
}

/** How many orders were chosen besides those that an address names. */
export function notPrinted(search: URLSearchParams): number {
  const others = Number(search.get('weitere') ?? '0');
  const known = Number.isSafeInteger(others) && others > 0 ? others : 0;
  return known + Math.max(0, search.getAll('b').length - mostPrinted);
}
