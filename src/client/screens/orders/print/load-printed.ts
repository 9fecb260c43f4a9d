import { api } from '#shared/http/api.ts';
import type { OrderRow } from '#shared/orders/schema.ts';
import type { Ask } from '#client/call.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { mostPrinted, notPrinted, printedOrders } from './print-orders.ts';

const page = 100;
/** Open orders to search for those we pack: if a marketplace ships most of them, ours may be far down the list. */
const mostSeen = 2000;

/**
 * `more`: number of orders missing here, of the `chosen` ones or else of all open ones. Not counted in it: `elsewhere`, open
 * orders that the marketplace ships itself, and `held`, open orders on hold.
 */
export type Printed = { orders: OrderRow[]; more: number; chosen: boolean; elsewhere: number; held: number };

/** Loads the orders of a print page with all their lines: those in the URL, else all open ones that we pack ourselves. */
export async function loadPrinted(ask: Ask, search: URLSearchParams): Promise<Printed> {
  const named = printedOrders(search);
  const whole = async ({ channel, orderid }: { channel: string; orderid: string }) =>
    (await ask(api.order, { params: { orderid }, query: { channel } })).order;
  const orders: OrderRow[] = [];
  if (named.length > 0) {
    for (const ref of named) orders.push(await whole(ref));
    return { orders, more: notPrinted(search), chosen: true, elsewhere: 0, held: 0 };
  }
  let [total, elsewhere, held] = [0, 0, 0];
  for (let offset = 0; offset < mostSeen && orders.length < mostPrinted; offset += page) {
    const found = await ask(api.orders, { query: { filter: 'offen', offset, limit: page } });
    // A list contains only the first lines of an order.
    for (const row of found.rows) {
      if (orders.length === mostPrinted) break;
      if (row.fulfilled_by === 'marketplace') elsewhere++;
      else if (row.hold !== 'none') held++;
      else orders.push(row.line_count > row.lines.length ? await whole(row) : row);
    }
    total = found.total;
    if (found.rows.length < page) break;
  }
  return { orders, more: Math.max(0, total - orders.length - elsewhere - held), chosen: false, elsewhere, held };
}

/** Says how many others there are: „3 weitere gewählte Bestellungen fehlen“. */
export function othersWords(
  { more, chosen }: Pick<Printed, 'more' | 'chosen'>,
  [one, several]: readonly [string, string],
): string {
  const [order, orders] = chosen
    ? ['weitere gewählte Bestellung', 'weitere gewählte Bestellungen']
    : ['weitere offene Bestellung', 'weitere offene Bestellungen'];
  return formatCount(more, `${order} ${one}`, `${orders} ${several}`);
}

/** Says what was left out because it is not packed here, or not now; '' if nothing was. */
export function leftOutWords({ elsewhere, held }: Pick<Printed, 'elsewhere' | 'held'>): string {
  const those = [
    { count: elsewhere, what: 'die der Marktplatz selbst versendet' },
    {
      count: held,
      what: 'die geprüft wird oder storniert werden soll',
      several: 'die geprüft werden oder storniert werden sollen',
    },
  ].filter(({ count }) => count > 0);
  if (those.length === 0) return '';
  const words = those.map(({ count, what, several = what }) =>
    formatCount(count, `offene Bestellung, ${what}`, `offene Bestellungen, ${several}`),
  );
  return ` Weggelassen: ${words.join('; ')}.`;
}
