import type { NewOrder } from '#shared/orders/intake.ts';

export const oddLine = '3B1jF3414+YPHbym++/WiQ==';

export const line = (productid: string, more: Partial<NewOrder['lines'][number]> = {}): NewOrder['lines'][number] => ({
  productid,
  sku: 'A-1',
  title: 'Hammer',
  ordered: 1,
  shipped: 0,
  cancelled: 0,
  unit_cents: 1000,
  discount_cents: 0,
  shipping_cents: 490,
  tax_rate: 1900,
  ...more,
});

/** Returns an order of a channel fed by files, with odd ids as marketplaces have them. */
export const order = (orderid: string, more: Partial<NewOrder> = {}): NewOrder => ({
  orderid,
  placed_at: '2026-11-20T10:00:00Z',
  changed_at: '2026-11-20T10:00:00Z',
  pending: false,
  currency: 'EUR',
  country: 'DE',
  buyer_order_number: '',
  lines: [line(oddLine, { ordered: 3 })],
  ...more,
});
