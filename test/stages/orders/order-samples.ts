import { api } from '#shared/http/api.ts';
import type { NewOrder } from '#shared/orders/intake.ts';
import { masterWith, type TestKontor } from '../kontor.ts';

type Line = Partial<NewOrder['lines'][number]> & { sku: string };
type Given = Partial<Omit<NewOrder, 'lines' | 'placed_at'>> & {
  orderid: string;
  lines: readonly Line[];
  /** Hours before and after now. */
  placedHoursAgo?: number;
  shipInHours?: number;
};

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();

/** Returns an order as a shop submits it; its lines are named `<order>-1`, `<order>-2` … */
function newOrder({ lines, placedHoursAgo = 1, shipInHours, ...given }: Given): NewOrder {
  return {
    placed_at: hours(-placedHoursAgo),
    pending: false,
    currency: 'EUR',
    country: 'DE',
    buyer_order_number: '',
    ...(shipInHours === undefined ? {} : { ship_by: hours(shipInHours) }),
    ...given,
    lines: lines.map((line, index) => ({
      productid: `${given.orderid}-${index + 1}`,
      title: `Artikel ${line.sku}`,
      ordered: 1,
      shipped: 0,
      cancelled: 0,
      unit_cents: 1999,
      discount_cents: 0,
      shipping_cents: 0,
      tax_rate: 1900,
      ...line,
    })),
  };
}

/** A buyer with an address in Germany. */
export const kanari = {
  name: 'Kanari Mustermann',
  company: '',
  lines: ['Kanariweg 17'],
  postalCode: '51147',
  city: 'Köln',
  region: '',
  country: 'DE',
  email: 'kanari@beispiel.de',
  phone: '',
};

/** Creates a channel that is fed by files: actions on its orders are done at once. */
export async function orderChannel(kontor: TestKontor, name: string): Promise<string> {
  const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
  return (await kontor.ask(api.createExport, { params: { masterid }, body: { name } })).id;
}

/** Submits orders of a channel. */
export async function takeOrders(kontor: TestKontor, channel: string, orders: readonly Given[]): Promise<void> {
  const { rejected } = await kontor.ask(api.createOrders, { body: { channel, orders: orders.map(newOrder) } });
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
}
