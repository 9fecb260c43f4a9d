import { api } from '#shared/http/api.ts';
import type { OrderRow } from '#shared/orders/schema.ts';
import type { Ask } from '#client/call.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { mostPrinted, notPrinted, printedOrders } from './print-orders.ts';

const page = 100;

/** `more`: orders that are not among them, of those that were `chosen`, else of all that are open. */
export type Printed = { orders: OrderRow[]; more: number; chosen: boolean };

/** The orders of a print page with all their lines: those that its address names, else all that are open. */
export async function loadPrinted(ask: Ask, search: URLSearchParams): Promise<Printed> {
  const named = printedOrders(search);
  const whole = async ({ channel, orderid }: { channel: string; orderid: string }) =>
    (await ask(api.order, { params: { orderid }, query: { channel } })).order;
  const orders: OrderRow[] = [];
  if (named.length > 0) {
    for (const ref of named) orders.push(await whole(ref));
    return { orders, more: notPrinted(search), chosen: true };
  }
  let total = 0;
  for (let offset = 0; offset < mostPrinted; offset += page) {
    const found = await ask(api.orders, { query: { filter: 'offen', offset, limit: page } });
    // A list shows only the first lines of an order.
    for (const row of found.rows) orders.push(row.line_count > row.lines.length ? await whole(row) : row);
    total = found.total;
    if (found.rows.length < page) break;
  }
  return { orders, more: Math.max(0, total - orders.length), chosen: false };
}

/** How many others there are and what they do: „3 weitere gewählte Bestellungen fehlen“. */
export function othersWords(
  { more, chosen }: Omit<Printed, 'orders'>,
  [one, several]: readonly [string, string],
): string {
  const which = chosen ? 'gewählte' : 'offene';
  return formatCount(more, `weitere ${which} Bestellung ${one}`, `weitere ${which} Bestellungen ${several}`);
}
