import type { ChannelLine, ChannelOrder, ChannelShipment } from '#marketplaces/orders-port.ts';
import { takeCounted, type NamedPieces } from './counted-pieces.ts';
import { correctedNumber, type CorrectedNumber } from './corrected-number.ts';
import { newLine } from './new-line.ts';
import {
  isUnsent,
  type OrderEvent,
  type OrderRecord,
  type StoredLine,
  type StoredOrder,
  type StoredShipment,
  type WaitingAction,
} from './order-record.ts';
import { orderState } from './order-state.ts';
import { bookable, grownBy, isCounted, knownParcel, replacedParcel } from './replaced-parcel.ts';
import { needsNewAlarm } from './new-alarm.ts';

export type NewShipment = Pick<ChannelShipment, 'reference' | 'carrier' | 'tracking' | 'shippedAt' | 'state'> & {
  lines: { line: string; quantity: number }[];
};
export type NewCancellation = { line: string; quantity: number; by: 'buyer' | 'channel'; reason: string };

/** The changes of an order that follow from what its channel shows. */
export type Merge = {
  order: StoredOrder;
  lines: StoredLine[];
  shipments: NewShipment[];
  named: NamedPieces[];
  shipmentStates: { id: string; state: ChannelShipment['state'] }[];
  corrected: CorrectedNumber[];
  cancellations: NewCancellation[];
  /** Our unsent actions that no longer fit: what they request has happened at the channel. */
  superseded: WaitingAction[];
  events: OrderEvent[];
};

/**
 * Returns the order after its channel showed `incoming`; 'old' if a newer state is stored, 'same' if nothing is new. The channel
 * wins, but nothing goes backwards: `ordered` never falls (a smaller number means that the difference was cancelled there), a
 * missing line is unchanged, shipped and cancelled pieces stay so. Pieces in sent actions of ours stay reserved until their
 * result is known; the others are booked when the order is read again after that.
 */
export function mergeOrder(stored: OrderRecord, incoming: ChannelOrder): Merge | 'old' | 'same' {
  const { order, isNew } = stored;
  if (incoming.changedAt < order.changed_at) return 'old';
  const merge: Merge = {
    order: { ...order },
    lines: stored.lines.map((line) => ({ ...line })),
    shipments: [],
    named: [],
    shipmentStates: [],
    corrected: [],
    cancellations: [],
    superseded: [],
    events: isNew ? [{ kind: 'created', details: { lines: incoming.lines.length } }] : [],
  };
  if (isNew || incoming.complete || incoming.changedAt > order.changed_at) mergeHeader(merge, incoming, isNew);
  for (const line of incoming.lines) mergeLine(merge, incoming, line, isNew);
  const waiting = new Waiting(stored.waiting, merge);
  // Cancelled parcels first, so that a parcel replacing one is merged last.
  const rank = ({ state }: ChannelShipment) => (state === 'cancelled' ? 0 : 1);
  const shown = (incoming.shipments ?? []).toSorted((one, other) => rank(one) - rank(other));
  for (const parcel of shown) mergeParcel(stored, merge, waiting, { parcel, shown, counts: incoming.lines });
  for (const line of incoming.lines) mergeCounts(merge, waiting, line, incoming);
  Object.assign(merge.order, orderState(merge.order.pending, merge.lines));
  noteEnds(merge, order, incoming);
  merge.order.changed_at = incoming.changedAt;
  const changed =
    merge.events.length > 0 ||
    merge.shipments.length > 0 ||
    merge.shipmentStates.length > 0 ||
    !same({ ...merge.order, changed_at: order.changed_at }, order) ||
    merge.lines.some((line, index) => !same(line, stored.lines[index]));
  return changed ? merge : 'same';
}

const same = (one: object, other: object | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);

function mergeHeader({ order, events }: Merge, incoming: ChannelOrder, isNew: boolean): void {
  if (!isNew && order.pending && !incoming.pending) events.push({ kind: 'released', details: {} });
  if (incoming.hold !== undefined && order.hold !== incoming.hold) {
    if (incoming.hold === 'cancel_requested') {
      events.push({ kind: 'cancel_requested', details: {} });
      order.wish_declined_at = null;
    }
    if (incoming.hold === 'fraud') events.push({ kind: 'on_hold', details: {} });
    if (incoming.hold === 'none' && order.hold === 'cancel_requested')
      events.push({ kind: 'cancel_request_gone', details: {} });
  }
  order.raw_state = incoming.rawState;
  order.pending = incoming.pending;
  order.hold = incoming.hold ?? order.hold;
  order.fulfilled_by = incoming.fulfilledBy;
  order.confirmable = incoming.confirmable;
  if (needsNewAlarm(order, incoming.shipBy)) order.alarmed_at = null;
  order.ship_by = incoming.shipBy ?? order.ship_by;
  order.deliver_by = incoming.deliverBy ?? order.deliver_by;
  // The first delivery date counts: a later one is only the time of the channel's last change.
  order.delivered_at ??= incoming.deliveredAt ?? null;
  order.currency = incoming.currency === '' ? order.currency : incoming.currency;
  order.country = incoming.country === '' ? order.country : incoming.country;
  order.tax_scheme = incoming.taxScheme === '' ? order.tax_scheme : incoming.taxScheme;
  order.programs = JSON.stringify(incoming.programs);
  order.buyer_order_number = incoming.buyerOrderNumber === '' ? order.buyer_order_number : incoming.buyerOrderNumber;
  order.replaces = incoming.replaces === '' ? order.replaces : incoming.replaces;
}

function mergeLine(merge: Merge, { hold }: ChannelOrder, incoming: ChannelLine, isNew: boolean): void {
  const { order, lines, events } = merge;
  let line = lines.find(({ line_id }) => line_id === incoming.line);
  if (line === undefined) {
    line = newLine(order, incoming, lines.length);
    lines.push(line);
    if (!isNew) events.push({ kind: 'line_added', details: { line: incoming.line, quantity: incoming.ordered } });
  }
  if (line.unit_cents === null && incoming.unitCents !== null && !isNew)
    events.push({ kind: 'price_known', details: { line: incoming.line, cents: incoming.unitCents } });
  line.ordered = Math.max(line.ordered, incoming.ordered);
  line.sku = incoming.sku === '' ? line.sku : incoming.sku;
  line.title = incoming.title === '' ? line.title : incoming.title;
  line.product_id = incoming.productId === '' ? line.product_id : incoming.productId;
  if (incoming.unitCents !== null) {
    line.unit_cents = incoming.unitCents;
    line.discount_cents = incoming.discountCents;
    line.shipping_cents = incoming.shippingCents;
  }
  line.tax_rate = incoming.taxRate ?? line.tax_rate;
  if (incoming.cancelRequest !== undefined) line.cancel_request = incoming.cancelRequest.reason || 'ohne Angabe';
  else if (hold !== undefined) line.cancel_request = '';
}

/** Our actions that have not ended. Unsent ones give way to what happened at the channel. */
class Waiting {
  private readonly merge: Merge;
  private readonly actions: readonly WaitingAction[];

  constructor(actions: readonly WaitingAction[], merge: Merge) {
    this.actions = actions;
    this.merge = merge;
  }

  /** Returns whether a sent parcel of ours has this reference: the read-back books it. */
  owns(reference: string): boolean {
    return reference !== '' && this.actions.some((action) => action.kind === 'ship' && action.reference === reference);
  }

  /**
   * Returns how many of `wanted` pieces may be booked, after superseding unsent actions if needed; pieces of sent actions stay
   * reserved.
   */
  makeRoom(line: StoredLine, wanted: number): number {
    const free = () => line.ordered - line.shipped - line.cancelled - line.ship_waiting - line.cancel_waiting;
    for (const action of this.actions) {
      if (free() >= wanted) break;
      if (!isUnsent(action) || this.merge.superseded.includes(action)) continue;
      if (action.kind !== 'return' && action.lines.some((one) => one.line === line.line_id)) this.supersede(action);
    }
    return Math.max(0, Math.min(wanted, free()));
  }

  /** Returns the pieces of a line in sent actions of a kind. */
  onTheirWay(id: string, kind: 'ship' | 'cancel'): number {
    return this.actions
      .filter((action) => action.kind === kind && !isUnsent(action))
      .flatMap(({ lines }) => lines)
      .reduce((sum, one) => sum + (one.line === id ? one.quantity : 0), 0);
  }

  private supersede(action: WaitingAction): void {
    this.merge.superseded.push(action);
    this.merge.events.push({ kind: 'superseded', details: { action: action.kind } });
    for (const { line, quantity } of action.lines) {
      const stored = this.merge.lines.find(({ line_id }) => line_id === line);
      if (stored === undefined) continue;
      if (action.kind === 'ship') stored.ship_waiting -= quantity;
      if (action.kind === 'cancel') stored.cancel_waiting -= quantity;
    }
  }
}

function mergeParcel(
  stored: OrderRecord,
  merge: Merge,
  waiting: Waiting,
  {
    parcel,
    shown,
    counts,
  }: { parcel: ChannelShipment; shown: readonly ChannelShipment[]; counts: readonly ChannelLine[] },
): void {
  if (waiting.owns(parcel.reference)) return;
  const known = knownParcel(stored.shipments, parcel);
  if (known !== undefined) return mergeKnown(merge, known, parcel);
  if (parcel.state === 'cancelled') return;
  const replaced = replacedParcel(stored.shipments, shown, parcel);
  const others = shown.filter((one) => one !== parcel && !waiting.owns(one.reference));
  const grown = (id: string, lines = stored.lines) => grownBy(lines, counts, id) - waiting.onTheirWay(id, 'ship');
  if (replaced !== undefined && isCounted(stored.shipments, parcel, { others, grown }))
    return mergeKnown(merge, replaced, parcel);
  const lines = parcel.lines.flatMap(({ line: id, quantity }) => {
    const line = merge.lines.find(({ line_id }) => line_id === id);
    if (line === undefined) return [];
    const counted = takeCounted(stored.shipments, merge.named, id, quantity);
    const most = bookable(line, { shown: [parcel, ...others], grown: grown(id, merge.lines) });
    const booked = waiting.makeRoom(line, Math.min(quantity - counted, most));
    line.shipped += booked;
    if (booked > 0) merge.events.push({ kind: 'shipped_there', details: { line: id, quantity: booked } });
    return counted + booked === 0 ? [] : [{ line: id, quantity: counted + booked }];
  });
  if (lines.length > 0) return void merge.shipments.push({ ...parcel, lines });
  if (replaced !== undefined) mergeKnown(merge, replaced, parcel);
}

function mergeKnown(merge: Merge, known: StoredShipment, parcel: ChannelShipment): void {
  const corrected = correctedNumber(known, parcel);
  if (corrected !== undefined) {
    merge.corrected.push(corrected.number);
    merge.events.push(corrected.event);
  }
  const { id } = known;
  const others = merge.shipmentStates.filter((one) => one.id !== id);
  merge.shipmentStates = known.state === parcel.state ? others : [...others, { id, state: parcel.state }];
}

/** Books what the channel counts as shipped beyond the parcels it shows, and its cancellations. */
function mergeCounts(merge: Merge, waiting: Waiting, incoming: ChannelLine, order: ChannelOrder): void {
  const line = merge.lines.find(({ line_id }) => line_id === incoming.line);
  if (line === undefined) return;
  const { line_id } = line;
  const shipped = incoming.shipped - line.shipped - waiting.onTheirWay(line_id, 'ship');
  if (shipped > 0) {
    const quantity = waiting.makeRoom(line, shipped);
    if (quantity > 0) {
      line.shipped += quantity;
      merge.events.push({ kind: 'shipped_there', details: { line: line_id, quantity } });
      const anonymous = {
        reference: '',
        carrier: '',
        tracking: '',
        shippedAt: order.changedAt,
        state: 'shipped' as const,
      };
      merge.shipments.push({ ...anonymous, lines: [{ line: line_id, quantity }] });
    }
  }
  const reported = incoming.cancelled + Math.max(0, line.ordered - incoming.ordered);
  const cancelled = reported - line.cancelled - waiting.onTheirWay(line_id, 'cancel');
  if (cancelled > 0) {
    const quantity = waiting.makeRoom(line, cancelled);
    if (quantity > 0) {
      line.cancelled += quantity;
      merge.events.push({ kind: 'cancelled_there', details: { line: line_id, quantity } });
      const by =
        incoming.cancelRequest?.by === 'buyer' || merge.order.hold === 'cancel_requested' ? 'buyer' : 'channel';
      merge.cancellations.push({ line: line_id, quantity, by, reason: incoming.cancelRequest?.reason ?? '' });
    }
  }
  // Not both can be true: the channel took back something that was final here.
  if (incoming.shipped + line.cancelled > line.ordered && order.changedAt > merge.order.changed_at)
    merge.events.push({
      kind: 'contradiction',
      details: { line: line_id, shipped: incoming.shipped, cancelled: line.cancelled },
    });
}

/** Sets the moments that decide when personal data is erased. `before`: the order as it was stored. */
function noteEnds(merge: Merge, before: StoredOrder, incoming: ChannelOrder): void {
  const { order } = merge;
  if (order.state === 'shipped' || order.state === 'returned')
    order.shipped_at ??= lastShipped(merge) ?? incoming.changedAt;
  if (order.state === 'cancelled') order.cancelled_at ??= incoming.changedAt;
  const delivered =
    (incoming.shipments ?? []).length > 0 && (incoming.shipments ?? []).every(({ state }) => state === 'delivered');
  if (order.state === 'shipped' && delivered) order.delivered_at ??= incoming.deliveredAt ?? incoming.changedAt;
  if (before.delivered_at === null && order.delivered_at !== null)
    merge.events.push({ kind: 'delivered', details: {} });
}

const lastShipped = ({ shipments }: Merge): Date | undefined =>
  shipments.map(({ shippedAt }) => shippedAt).toSorted((one, other) => other.getTime() - one.getTime())[0];
