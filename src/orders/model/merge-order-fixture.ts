import type { ChannelLine, ChannelOrder, ChannelShipment } from '#marketplaces/orders-port.ts';
import { mergeOrder, type Merge } from './merge-order.ts';
import type { OrderRecord, StoredLine, StoredOrder, WaitingAction } from './order-record.ts';

export const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute));

export const blank: StoredOrder = {
  company: 'c',
  channel: 'k',
  order_id: 'O-1',
  channel_name: 'Kanal',
  source: 'marketplace',
  placed_at: at(0),
  changed_at: at(0),
  seen_at: at(0),
  raw_state: '',
  pending: false,
  hold: 'none',
  fulfilled_by: 'merchant',
  confirmable: true,
  ship_by: null,
  deliver_by: null,
  delivered_at: null,
  shipped_at: null,
  cancelled_at: null,
  currency: 'EUR',
  country: '',
  tax_scheme: '',
  programs: '[]',
  buyer_order_number: '',
  replaces: '',
  state: 'pending',
  open_pieces: 0,
  returned_pieces: 0,
  total_cents: null,
  line_count: 0,
  unclear: 0,
  wish_declined_at: null,
  alarmed_at: null,
  parcels: 0,
  day: '2026-11-20',
};

export const line = (more: Partial<ChannelLine> = {}): ChannelLine => ({
  line: '1',
  sku: 'A',
  title: '',
  productId: '',
  ordered: 3,
  shipped: 0,
  cancelled: 0,
  unitCents: 1000,
  discountCents: 0,
  shippingCents: 0,
  taxRate: null,
  ...more,
});

export const said = (
  minute: number,
  lines: readonly ChannelLine[],
  more: Partial<ChannelOrder> = {},
): ChannelOrder => ({
  order: 'O-1',
  placedAt: at(0),
  changedAt: at(minute),
  rawState: '',
  pending: false,
  hold: 'none',
  fulfilledBy: 'merchant',
  confirmable: true,
  currency: 'EUR',
  country: 'DE',
  taxScheme: '',
  programs: [],
  buyerOrderNumber: '',
  replaces: '',
  complete: true,
  lines,
  ...more,
});

export const nothing: OrderRecord = { isNew: true, order: blank, lines: [], shipments: [], waiting: [] };

/** The record as the tables would hold it after a merge. */
export function stored(before: OrderRecord, merge: Merge | 'old' | 'same'): OrderRecord {
  if (typeof merge === 'string') return before;
  const parcels = merge.shipments.map((parcel, n) => ({
    ...parcel,
    id: `s${before.shipments.length + n}`,
    source: 'channel' as const,
    action: null,
  }));
  const left = before.shipments.map((one) => ({
    ...one,
    state: merge.shipmentStates.find(({ id }) => id === one.id)?.state ?? one.state,
    lines: one.lines.map(({ line: id, quantity }) => {
      const gone = merge.named.filter(({ shipment, line: of }) => shipment === one.id && of === id);
      return { line: id, quantity: gone.reduce((sum, { quantity: taken }) => sum - taken, quantity) };
    }),
  }));
  return {
    isNew: false,
    order: merge.order,
    lines: merge.lines,
    shipments: [...left, ...parcels],
    waiting: before.waiting.filter((action) => !merge.superseded.includes(action)),
  };
}
export const after = (before: OrderRecord, incoming: ChannelOrder) => stored(before, mergeOrder(before, incoming));
export const first = ({ lines }: OrderRecord): StoredLine => {
  const [one] = lines;
  if (one === undefined) throw new Error('no line');
  return one;
};
/** The record with one of our actions on a line, its pieces reserved. */
export function withAction(
  record: OrderRecord,
  action: Pick<WaitingAction, 'kind' | 'state' | 'reference'> & Partial<Pick<WaitingAction, 'sends'>>,
  quantity: number,
): OrderRecord {
  const column = action.kind === 'ship' ? 'ship_waiting' : 'cancel_waiting';
  const [one] = record.lines;
  if (one === undefined) throw new Error('no line');
  const waiting = [
    ...record.waiting,
    {
      id: `a${record.waiting.length}`,
      sends: action.state === 'new' ? 0 : 1,
      ...action,
      lines: [{ line: one.line_id, quantity }],
    },
  ];
  return { ...record, lines: [{ ...one, [column]: one[column] + quantity }, ...record.lines.slice(1)], waiting };
}
export const parcel = (
  reference: string,
  quantity: number,
  state: ChannelShipment['state'] = 'shipped',
): ChannelShipment => ({
  reference,
  carrier: 'DHL',
  tracking: `T${reference}`,
  shippedAt: at(1),
  state,
  lines: [{ line: '1', quantity }],
});
