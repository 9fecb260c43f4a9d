import type { ChannelLine } from '#marketplaces/orders-port.ts';
import type { StoredLine, StoredOrder } from './order-record.ts';

/** Returns a new line with its position only; everything else is still unknown. */
export const newLine = (
  { company, channel, order_id, placed_at }: StoredOrder,
  { line, sku }: ChannelLine,
  position: number,
): StoredLine => ({
  company,
  channel,
  order_id,
  line_id: line,
  placed_at,
  position,
  sku,
  title: '',
  product_id: '',
  master: null,
  item: null,
  ordered: 0,
  shipped: 0,
  cancelled: 0,
  returned: 0,
  ship_waiting: 0,
  cancel_waiting: 0,
  return_waiting: 0,
  unit_cents: null,
  discount_cents: 0,
  shipping_cents: 0,
  refunded_cents: 0,
  tax_rate: null,
  cancel_request: '',
});
