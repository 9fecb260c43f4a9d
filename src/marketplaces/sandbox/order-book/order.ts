import type { Chance } from '#marketplaces/sandbox/faults.ts';
import type { SandboxPerson } from './persons.ts';

export type SandboxLine = {
  id: string;
  sku: string;
  asin: string;
  /** Price of one piece, with tax. */
  cents: number;
  shippingCents: number;
  ordered: number;
  cancelled: number;
  returned: number;
  refundedCents: number;
  /** The reason of the buyer's wish to cancel the line; null: there is none. */
  request: string | null;
  cancelledBy: 'BUYER' | 'MERCHANT' | null;
};

export type SandboxParcel = {
  reference: string;
  carrier: string;
  tracking: string;
  shippedAt: number;
  confirmedAt: number;
  /** Time from which answers show the parcel. */
  visibleFrom: number;
  delivered: boolean;
  items: readonly { line: string; quantity: number }[];
};

export type SandboxOrder = {
  id: string;
  at: number;
  changedAt: number;
  /** Until then the order cannot be shipped, and answers show neither price nor address. */
  paidAt: number;
  byAmazon: boolean;
  programs: readonly string[];
  shipBy: number;
  deliverBy: number;
  lines: SandboxLine[];
  parcels: SandboxParcel[];
  person: SandboxPerson;
  /** Refunds that were carried out, by the seller's id of each. */
  adjustments: Set<string>;
  /** Random numbers of this order, the same in every run. */
  chance: Chance;
};

export type OrderState = 'PENDING' | 'UNSHIPPED' | 'PARTIALLY_SHIPPED' | 'SHIPPED' | 'CANCELLED';

/** Returns the number of a line's pieces in parcels; `but`: a parcel about to be changed, which does not count. */
export function shippedPieces(order: SandboxOrder, line: string, but?: SandboxParcel): number {
  const items = order.parcels.flatMap((parcel) => (parcel === but ? [] : parcel.items));
  return items.reduce((sum, item) => sum + (item.line === line ? item.quantity : 0), 0);
}

/** Returns the number of a line's pieces that may still be shipped or cancelled. */
export const openPieces = (order: SandboxOrder, line: SandboxLine, but?: SandboxParcel): number =>
  line.ordered - line.cancelled - shippedPieces(order, line.id, but);

/** Returns the order as an answer shows it at a moment: a parcel may become visible some time after its confirmation. */
export const asShown = (order: SandboxOrder, now: number): SandboxOrder => ({
  ...order,
  parcels: order.parcels.filter(({ visibleFrom }) => visibleFrom <= now),
});

export function stateOf(order: SandboxOrder, now: number): OrderState {
  if (order.lines.every(({ ordered, cancelled }) => cancelled === ordered)) return 'CANCELLED';
  if (now < order.paidAt) return 'PENDING';
  const open = order.lines.reduce((sum, line) => sum + openPieces(order, line), 0);
  if (open === 0) return 'SHIPPED';
  return order.parcels.length === 0 ? 'UNSHIPPED' : 'PARTIALLY_SHIPPED';
}
