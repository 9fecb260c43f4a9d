import type { Row } from '#platform/db/row.ts';
import type { OrderAction } from '#marketplaces/orders-port.ts';

/** An order of a channel, and a line of it, as stored. */
export type StoredOrder = Row<'orders'>;
export type StoredLine = Row<'order_lines'>;

/** A parcel and the pieces in it. */
export type StoredShipment = Row<
  'shipments',
  'id' | 'reference' | 'carrier' | 'tracking' | 'state' | 'source' | 'action'
> & {
  lines: readonly { line: string; quantity: number }[];
};

/** One of our actions that has not ended. `lines`: the pieces it reserves. */
export type WaitingAction = Row<'order_actions', 'id' | 'kind' | 'state' | 'reference' | 'sends'> & {
  lines: readonly { line: string; quantity: number }[];
};

/** Whether nothing of an action can have happened. One that was sent without an answer may wait to be sent again. */
export const isUnsent = ({ state, sends }: Pick<WaitingAction, 'state' | 'sends'>): boolean =>
  state === 'new' && sends === 0;

/** Everything from which an order's next state is computed. */
export type OrderRecord = {
  /** The row was inserted just now; nothing was merged into it yet. */
  isNew: boolean;
  order: StoredOrder;
  lines: readonly StoredLine[];
  shipments: readonly StoredShipment[];
  /** Our actions that have not ended. Cancelled and returned pieces are already in the lines' counters. */
  waiting: readonly WaitingAction[];
};

/** The origin of a change. */
export type EventSource = Row<'order_events'>['source'];
export type OrderEvent = { kind: EventKind; details: Readonly<Record<string, string | number>> };
export const eventKinds = [
  'created',
  'line_added',
  'released',
  'cancel_requested',
  'cancel_request_gone',
  'on_hold',
  'shipped_there',
  'tracking_corrected',
  'cancelled_there',
  'delivered',
  'price_known',
  'superseded',
  'contradiction',
  'address_changed',
  'action_new',
  'action_done',
  'action_refused',
  'action_unclear',
  'action_resolved',
  'action_withdrawn',
  'wish_declined',
  'persons_erased',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Returns the pieces that an action concerns, by line. */
export function piecesOf(action: OrderAction): readonly { line: string; quantity: number }[] {
  if (action.kind === 'ship') return action.lines;
  return action.kind === 'refund' ? [] : [{ line: action.line, quantity: action.quantity }];
}

/** Returns the pieces of a line that are neither shipped, cancelled nor reserved. */
export const openPieces = (
  line: Pick<StoredLine, 'ordered' | 'shipped' | 'cancelled' | 'ship_waiting' | 'cancel_waiting'>,
) => line.ordered - line.shipped - line.cancelled - line.ship_waiting - line.cancel_waiting;

/** Returns the shipped pieces of a line that are neither returned nor reserved for a return. */
export const returnablePieces = (line: Pick<StoredLine, 'shipped' | 'returned' | 'return_waiting'>) =>
  line.shipped - line.returned - line.return_waiting;
