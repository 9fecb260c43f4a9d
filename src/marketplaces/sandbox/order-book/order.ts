import type { Chance } from '#marketplaces/sandbox/faults.ts';
import type { SandboxPerson } from './persons.ts';

export type SandboxLine = {
  id: string;
  sku: string;
  asin: string;
  /** A piece with tax. */
  cents: number;
  shippingCents: number;
  ordered: number;
  cancelled: number;
  returned: number;
  refundedCents: number;
  /** Why the buyer wants no more of it; null: he does. */
  request: string | null;
  cancelledBy: 'BUYER' | 'MERCHANT' | null;
};

export type SandboxParcel = {
  reference: string;
  carrier: string;
  tracking: string;
  shippedAt: number;
  confirmedAt: number;
  /** From when an answer shows it, and what it holds. */
  visibleFrom: number;
  delivered: boolean;
  items: readonly { line: string; quantity: number }[];
};

export type SandboxOrder = {
  id: string;
  at: number;
  changedAt: number;
  /** Until then nobody may ship it, and nobody sees its price or address. */
  paidAt: number;
  byAmazon: boolean;
  programs: readonly string[];
  shipBy: number;
  deliverBy: number;
  lines: SandboxLine[];
  parcels: SandboxParcel[];
  person: SandboxPerson;
  /** Adjustments of money that were done, by the seller's number of each. */
  adjustments: Set<string>;
  /** Numbers of its own, the same with every run. */
  chance: Chance;
};

export type OrderState = 'PENDING' | 'UNSHIPPED' | 'PARTIALLY_SHIPPED' | 'SHIPPED' | 'CANCELLED';

/** Pieces of a line in parcels, but for one that is about to be changed. */
export function shippedPieces(order: SandboxOrder, line: string, but?: SandboxParcel): number {
  const items = order.parcels.flatMap((parcel) => (parcel === but ? [] : parcel.items));
  return items.reduce((sum, item) => sum + (item.line === line ? item.quantity : 0), 0);
}

/** Pieces of a line that may still be shipped or cancelled. */
export const openPieces = (order: SandboxOrder, line: SandboxLine, but?: SandboxParcel): number =>
  line.ordered - line.cancelled - shippedPieces(order, line.id, but);

/** The order as an answer shows it at a moment: parcels may be seen later than they were confirmed. */
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
