import { api } from '#shared/http/api.ts';
import type { OrderRow } from '#shared/orders/schema.ts';
import type { Ask } from '#client/call.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { mostPrinted, notPrinted, printedOrders } from './print-orders.ts';

const page = 100;
/** So many open orders are looked through for those to pack: where a marketplace ships most of them, ours may stand far behind. */
const mostSeen = 2000;

/**
 * `more`: orders that are not among them, of those that were `chosen`, else of all that are open; besides, of those, what the marketplace
 * itself ships and what is held.
 */
export type Printed = { orders: OrderRow[]; more: number; chosen: boolean; elsewhere: number; held: number };

/** The orders of a print page with all their lines: those that its address names, else all open ones that are ours to pack. */
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
    // A list shows only the first lines of an order.
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

/** How many others there are and what they do: „3 weitere gewählte Bestellungen fehlen“. */
export function othersWords(
  { more, chosen }: Pick<Printed, 'more' | 'chosen'>,
  [one, several]: readonly [string, string],
): string {
  const [order, orders] = chosen
    ? ['weitere gewählte Bestellung', 'weitere gewählte Bestellungen']
    : ['weitere offene Bestellung', 'weitere offene Bestellungen'];
  return formatCount(more, `${order} ${one}`, `${orders} ${several}`);
}

/** What was left out because it is not to be packed here, or not now; '' where nothing was. */
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
