import type { ActionKind, OrderAction } from '#marketplaces/orders-port.ts';
import { piecesOf } from './order-record.ts';

/**
 * Returns what an event stores of an action: pieces, never personal data. `remote`: a marketplace does it, which pays the buyer
 * for a return.
 */
export function detailsOf(action: OrderAction, remote = false): Record<string, string | number> {
  const pieces = piecesOf(action).reduce((sum, { quantity }) => sum + quantity, 0);
  const kind: ActionKind = action.kind;
  if (action.kind === 'ship')
    return { action: kind, quantity: pieces, carrier: action.carrier, tracking: action.tracking };
  if (action.kind === 'refund')
    return { action: kind, cents: action.cents, currency: action.currency, line: action.line };
  const details = { action: kind, quantity: pieces, line: action.line, reason: action.reason };
  return action.kind === 'return' && remote ? { ...details, cents: action.cents, currency: action.currency } : details;
}
