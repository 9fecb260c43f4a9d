import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

/** OIM-01: action of a form on a line, as the API spells it. */
export type ItemMode = 'sent' | 'cancel' | 'return';
export const itemModes = ['sent', 'cancel', 'return'] as const satisfies readonly ItemMode[];

/** A line of an order and the action on it. */
export type ItemAction = { mode: ItemMode; order: OrderRow; line: OrderLine };

/** Returns the action with its order and line as `orders` show them now: somebody else may have shipped pieces meanwhile. */
export function currentAction(action: ItemAction, orders: readonly OrderRow[]): ItemAction {
  const { orderid, channel } = action.order;
  const order = orders.find((one) => one.orderid === orderid && one.channel === channel);
  const line = order?.lines.find(({ productid }) => productid === action.line.productid);
  return order === undefined || line === undefined ? action : { ...action, order, line };
}

export const modeWords = {
  sent: { button: 'Versenden', title: 'Versand melden', save: 'Speichern' },
  cancel: { button: 'Stornieren', title: 'Position stornieren', save: 'Stornieren' },
  return: { button: 'Retoure', title: 'Retoure annehmen', save: 'Retoure annehmen' },
} as const;

/** Returns the pieces preset in the form: all that are possible. */
export const presetOf = ({ mode, line }: ItemAction): number =>
  Math.min(line.ordered, Math.max(1, mode === 'return' ? line.returnable : line.open));

/**
 * Returns the most pieces that the form offers: those that can be cancelled or taken back. A shipment may name pieces that are
 * shipped already (OIM-02), for which the server says what is wrong.
 */
export const mostOf = (mode: ItemMode, { ordered, open, returnable }: Pieces): number =>
  mode === 'sent' ? ordered : Math.max(1, mode === 'return' ? returnable : open);

/** Says how many pieces the action can apply to: the open ones for sending and cancelling, the returnable ones for a return. */
export function piecesText(mode: ItemMode, { ordered, open, returnable }: Pieces): string {
  const which = mode === 'return' ? `${formatInteger(returnable)} beim Käufer` : `${formatInteger(open)} offen`;
  return `${formatCount(ordered, 'Stück', 'Stück')} bestellt, ${which}`;
}
type Pieces = Pick<OrderLine, 'ordered' | 'open' | 'returnable'>;

/**
 * Says what a return costs at a marketplace, which pays the buyer without asking again; '' elsewhere. Discounts and earlier
 * refunds lower it.
 */
export function paybackText({ mode, order, line }: Payable, quantity: number): string {
  if (mode !== 'return' || order.marketplace === '' || !line.unit_cents) return '';
  return `Der Marktplatz zahlt dem Käufer dafür bis zu ${moneyText(line.unit_cents * quantity, order.currency)} zurück.`;
}

type Payable = {
  mode: ItemMode;
  order: Pick<OrderRow, 'marketplace' | 'currency'>;
  line: Pick<OrderLine, 'unit_cents'>;
};

/** Says what the form still needs before it can be sent; '' if nothing. */
export function missingOf(mode: ItemMode, { carrier, tracking, reason }: Typed): string {
  if (mode !== 'sent') return reason === '' ? 'Bitte einen Grund wählen.' : '';
  if (carrier.trim() !== '') return tracking.trim() === '' ? 'Bitte eine Sendungsnummer eingeben.' : '';
  return tracking.trim() === ''
    ? 'Bitte Versanddienst und Sendungsnummer angeben.'
    : 'Bitte einen Versanddienst angeben.';
}
type Typed = { carrier: string; tracking: string; reason: string };

/** Returns the first possible action on a line. */
export const firstMode = (line: OrderLine): ItemMode | undefined => itemModes.find((mode) => line[mode].possible);
