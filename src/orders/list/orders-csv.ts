import type { Database } from '#platform/db/database.ts';
import type { StoredLine, StoredOrder } from '#orders/model/order-record.ts';
import { orderStateLabels } from '#shared/orders/state-labels.ts';
import { linesOfOrders, orderKey } from './order-rows.ts';
import { returnedCents, type ReturnedCents } from './returned-cents.ts';

/** Orders whose lines are loaded at a time. */
const PAGE = 500;
/** Of an order, every line is a row; orders may have a few thousand. */
const ALL_LINES = 1_000_000;

type Column = readonly [title: string, read: (order: StoredOrder, line: StoredLine) => string];

const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' });
const timeText = (moment: Date | null) => (moment === null ? '' : time.format(moment).replace(',', ''));
const euroText = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(2).replace('.', ','));

/** None of them is personal data: those are in a table of their own, and each reading of them is recorded. */
const columns: readonly Column[] = [
  ['Bestellnummer', ({ order_id }) => order_id],
  ['Kanal', ({ channel_name }) => channel_name],
  ['Bestellt am', ({ placed_at }) => timeText(placed_at)],
  ['Stand', ({ state }) => orderStateLabels[state]],
  ['Zu versenden bis', ({ ship_by }) => timeText(ship_by)],
  ['Versandt am', ({ shipped_at }) => timeText(shipped_at)],
  ['Versand durch', ({ fulfilled_by }) => (fulfilled_by === 'merchant' ? 'Händler' : 'Marktplatz')],
  ['Lieferland', ({ country }) => country],
  ['Artikelnummer', (_order, { sku }) => sku],
  ['Artikel', (_order, { title }) => title],
  ['Bestellt', (_order, { ordered }) => String(ordered)],
  ['Versandt', (_order, { shipped }) => String(shipped)],
  ['Storniert', (_order, { cancelled }) => String(cancelled)],
  ['Retourniert', (_order, { returned }) => String(returned)],
];
/** Only with the permission 'orders'. */
const priceColumns: readonly Column[] = [
  ['Stückpreis', (_order, { unit_cents }) => euroText(unit_cents)],
  ['Rabatt', (_order, { discount_cents }) => euroText(discount_cents)],
  ['Versandkosten', (_order, { shipping_cents }) => euroText(shipping_cents)],
  ['Erstattet', (_order, { refunded_cents }) => euroText(refunded_cents)],
  ['Währung', ({ currency }) => currency],
];

/** Returns orders as a table with a row for each line; the lines are read in portions while the table is sent. */
export function orderCells(
  database: Database,
  company: string,
  orders: readonly StoredOrder[],
  { prices, names }: { prices: boolean; names: ReadonlyMap<string, string> },
) {
  const shown = prices ? [...columns, ...priceColumns] : columns;
  async function* rows(): AsyncGenerator<string[]> {
    for (let from = 0; from < orders.length; from += PAGE) {
      const page = orders.slice(from, from + PAGE);
      const { lines, returned } = await database.company(company, async (trx) => ({
        lines: await linesOfOrders(trx, company, page, ALL_LINES),
        returned: prices ? await returnedCents(trx, company, page) : new Map(),
      }));
      for (const order of page) {
        const named = { ...order, channel_name: names.get(order.channel) ?? order.channel_name };
        for (const line of lines.get(orderKey(order)) ?? [])
          yield shown.map(([, read]) => read(named, withReturned(line, returned)));
      }
    }
  }
  return { header: shown.map(([title]) => title), rows: rows() };
}

/** Whether a return or a refund paid the buyer makes no difference to who adds the column up. */
const withReturned = (line: StoredLine, returned: ReturnedCents): StoredLine => ({
  ...line,
  refunded_cents: line.refunded_cents + (returned.get(orderKey(line))?.get(line.line_id) ?? 0),
});
