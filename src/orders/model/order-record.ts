import type { Row } from '#platform/db/row.ts';
import type { OrderAction } from '#marketplaces/orders-port.ts';

/** An order of a channel, and a line of it, as the tables keep them. */
export type StoredOrder = Row<'orders'>;
export type StoredLine = Row<'order_lines'>;

/** A parcel and which pieces are in it. */
export type StoredShipment = Row<
  'shipments',
  'id' | 'reference' | 'carrier' | 'tracking' | 'state' | 'source' | 'action'
> & {
  lines: readonly { line: string; quantity: number }[];
};

/** An action of ours that has not ended. `lines`: the pieces that it promises. */
export type WaitingAction = Row<'order_actions', 'id' | 'kind' | 'state' | 'reference'> & {
  lines: readonly { line: string; quantity: number }[];
};

/** Everything that an order's next state is computed from. */
export type OrderRecord = {
  /** Its row was made just now; nothing was merged into it yet. */
  isNew: boolean;
  order: StoredOrder;
  lines: readonly StoredLine[];
  shipments: readonly StoredShipment[];
  /** Pieces cancelled and returned are in the lines' counters already. */
  waiting: readonly WaitingAction[];
};

/** Where a change came from. */
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

/** The pieces that an action is about, by line. */
export function piecesOf(action: OrderAction): readonly { line: string; quantity: number }[] {
  if (action.kind === 'ship') return action.lines;
  return action.kind === 'refund' ? [] : [{ line: action.line, quantity: action.quantity }];
}

/** Pieces of a line that nothing has happened to and nothing was promised of. */
export const openPieces = (
  line: Pick<StoredLine, 'ordered' | 'shipped' | 'cancelled' | 'ship_waiting' | 'cancel_waiting'>,
) => line.ordered - line.shipped - line.cancelled - line.ship_waiting - line.cancel_waiting;

/** Pieces that are with the buyer and that no return was promised for. */
export const returnablePieces = (line: Pick<StoredLine, 'shipped' | 'returned' | 'return_waiting'>) =>
  line.shipped - line.returned - line.return_waiting;
