import type { Permission } from '#shared/http/call.ts';
import type { OrderDetails, OrderLine, OrderRow } from '#shared/orders/schema.ts';

const notTheirs = { possible: false, reason: 'Ihre Rolle versendet nur.' };

/** Whether somebody who sees orders may see what they cost, and do more with them than ship. */
export const seesPrices = (permissions: readonly Permission[]): boolean => permissions.includes('orders');

/** An order for those who ship: without amounts, and without what only others may do. */
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
    cancel: notTheirs,
    return: notTheirs,
  })),
});

/** The same for an order's page; its history names amounts. */
export const detailsWithoutPrices = (details: OrderDetails): OrderDetails => ({
  ...details,
  order: rowWithoutPrices(details.order),
  refunds: [],
  actions: details.actions
    .filter(({ kind }) => kind !== 'refund')
    .map((action) => ({ ...action, withdrawable: false })),
  events: [],
  refund: notTheirs,
  refundable: [],
  refund_reasons: [],
});
