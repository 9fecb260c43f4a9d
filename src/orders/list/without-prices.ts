import type { Permission } from '#shared/http/call.ts';
import type { OrderDetails, OrderLine, OrderRow } from '#shared/orders/schema.ts';

const notPermitted = { possible: false, reason: 'Ihre Rolle versendet nur.' };

/** Returns whether a user who sees orders may see prices and do more than ship. */
export const seesPrices = (permissions: readonly Permission[]): boolean => permissions.includes('orders');

/** Returns an order for users who only ship: without amounts and without actions reserved to others. */
export const rowWithoutPrices = (row: OrderRow): OrderRow => ({
  ...row,
  total_cents: null,
  lines: row.lines.map((line): OrderLine => ({
    ...line,
    unit_cents: null,
    discount_cents: 0,
    shipping_cents: 0,
    refunded_cents: 0,
    tax_rate: null,
    cancel: notPermitted,
    return: notPermitted,
  })),
});

/** Returns an order's details for users who only ship; without the history, which contains amounts. */
export const detailsWithoutPrices = (details: OrderDetails): OrderDetails => ({
  ...details,
  order: rowWithoutPrices(details.order),
  refunds: [],
  actions: details.actions
    .filter(({ kind }) => kind !== 'refund')
    .map((action) => ({ ...action, withdrawable: false, cents: null })),
  events: [],
  refund: notPermitted,
  refundable: [],
  refund_reasons: [],
});
