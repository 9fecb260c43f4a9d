import { describe, expect, it } from 'vitest';
import { OrderRow } from '#shared/orders/schema.ts';
import { itemOrders } from './item-orders.ts';

const offered = { possible: true, reason: '' };
const line = (more: { sku: string; item: string | null; masterid: string | null; ordered: number }) => ({
  productid: 'p',
  title: '',
  shipped: 0,
  cancelled: 0,
  returned: 0,
  open: 0,
  returnable: 0,
  waiting: 0,
  ship_waiting: 0,
  unit_cents: null,
  discount_cents: 0,
  shipping_cents: 0,
  refunded_cents: 0,
  tax_rate: null,
  cancel_request: '',
  sent: offered,
  cancel: offered,
  return: offered,
  ...more,
});
const order = (orderid: string, lines: ReturnType<typeof line>[]) =>
  OrderRow.parse({
    orderid,
    channel: 'c',
    channel_name: 'Laden',
    marketplace: '',
    state: 'part_shipped',
    hold: 'none',
    fulfilled_by: 'merchant',
    placed_at: '2026-01-01T10:00:00Z',
    changed_at: '2026-01-01T10:00:00Z',
    ship_by: null,
    deliver_by: null,
    shipped_at: null,
    delivered_at: null,
    currency: 'EUR',
    country: 'DE',
    buyer_order_number: '',
    open_pieces: 0,
    unclear: 0,
    total_cents: null,
    lines,
    line_count: lines.length,
    parcel: { possible: false, reason: '' },
  });
const item = { masterid: 'm', itemid: 'A-1' };

describe('the orders of an item', () => {
  it('count only the pieces of this item, over all lines', () => {
    const [found] = itemOrders(
      [
        order('B-1', [
          line({ sku: 'A-1', item: 'A-1', masterid: 'm', ordered: 2 }),
          line({ sku: 'A-2', item: 'A-2', masterid: 'm', ordered: 5 }),
          line({ sku: 'anders', item: 'A-1', masterid: 'm', ordered: 1 }),
        ]),
      ],
      item,
    );
    expect(found).toMatchObject({ orderid: 'B-1', pieces: 3, state: { text: 'teilweise versandt' } });
  });

  it("leave out orders whose own number equals the item's, and items of other catalogues", () => {
    const others = [
      order('A-1', [line({ sku: 'A-2', item: 'A-2', masterid: 'm', ordered: 1 })]),
      order('B-2', [line({ sku: 'A-1', item: 'A-1', masterid: 'other', ordered: 1 })]),
    ];
    expect(itemOrders(others, item)).toEqual([]);
    const unknown = order('B-3', [line({ sku: 'A-1', item: null, masterid: null, ordered: 1 })]);
    expect(itemOrders([unknown], item)).toHaveLength(1);
  });
});
