import type { OrderLine, OrderRow, OrderState } from '#shared/orders/schema.ts';
import { orderStateLabels } from '#shared/orders/state-labels.ts';
import { moneyText } from '#shared/values/money-text.ts';
import type { BadgeTone } from '#client/ui/badge.tsx';
import { formatInteger, formatPercent } from '#client/ui/text/formats.ts';

export type Mark = { readonly tone: BadgeTone; readonly text: string };

const states: Record<OrderState, Mark> = {
  pending: { tone: 'gray', text: orderStateLabels.pending },
  open: { tone: 'blue', text: orderStateLabels.open },
  part_shipped: { tone: 'blue', text: orderStateLabels.part_shipped },
  shipped: { tone: 'green', text: orderStateLabels.shipped },
  cancelled: { tone: 'gray', text: orderStateLabels.cancelled },
  returned: { tone: 'gray', text: orderStateLabels.returned },
};
const holds: Record<Exclude<OrderRow['hold'], 'none'>, Mark> = {
  cancel_requested: { tone: 'yellow', text: 'Stornowunsch' },
  fraud: { tone: 'yellow', text: 'wird vom Marktplatz geprüft' },
};

/** Returns the badges of an order: pending decisions, or its progress. */
export function marksOf({ state, hold, unclear, open_pieces: open }: OrderRow): Mark[] {
  const waits = [
    ...(unclear > 0 ? [{ tone: 'red' as const, text: 'Klärung nötig' }] : []),
    ...(hold !== 'none' && open > 0 ? [holds[hold]] : []),
  ];
  // An order with a pending decision is obviously open.
  return state === 'open' && waits.length > 0 ? waits : [...waits, states[state]];
}

/** Formats a duration: „25 Min.“, „5 Std.“, „3 Tage“; `days` is the grammatical case that the sentence needs. */
function lengthWords(ms: number, days: 'Tage' | 'Tagen'): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${Math.max(1, minutes)}\u00a0Min.`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}\u00a0Std.`;
  return `${formatInteger(Math.floor(hours / 24))}\u00a0${days}`;
}

/** Returns the time left to ship an order, in words; null if nothing is left to ship. */
export function dueMark(order: Pick<OrderRow, 'ship_by' | 'open_pieces' | 'state'>, now: number): Mark | null {
  if (order.ship_by === null || order.open_pieces === 0 || order.state === 'pending') return null;
  const left = Date.parse(order.ship_by) - now;
  if (left < 0) return { tone: 'red', text: `überfällig seit ${lengthWords(-left, 'Tagen')}` };
  return { tone: left < 24 * 60 * 60_000 ? 'yellow' : 'gray', text: `noch ${lengthWords(left, 'Tage')}` };
}

/** Returns a unique key: two channels may use the same order number. */
export const orderKey = ({ channel, orderid }: { channel: string; orderid: string }): string => `${channel} ${orderid}`;

type WordedLine = Pick<
  OrderLine,
  'sku' | 'unit_cents' | 'discount_cents' | 'tax_rate' | 'open' | 'waiting' | 'shipped' | 'cancelled' | 'returned'
>;

/** Describes a line: „A-1 · 5,00 € je Stück · 19 % MwSt. · 1 offen, 2 versandt“. */
export function lineWords(line: WordedLine, currency: string): string {
  const { sku, unit_cents: unit, discount_cents: discount, tax_rate: tax } = line;
  return [
    sku,
    ...(unit === null ? [] : [`${moneyText(unit, currency)} je Stück`]),
    ...(discount > 0 ? [`zusammen ${moneyText(discount, currency)} Nachlass`] : []),
    ...(tax === null ? [] : [`${formatPercent(tax / 10_000)} MwSt.`]),
    progressOf(line),
  ].join(' · ');
}

/** „1 offen, 2 versandt“ */
function progressOf({ open, shipped, cancelled, returned, waiting }: WordedLine): string {
  const parts = [
    [open, 'offen'],
    [waiting, 'in Bearbeitung'],
    [shipped, 'versandt'],
    [cancelled, 'storniert'],
    [returned, 'retourniert'],
  ] as const;
  const words = parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
  return words.join(', ');
}

type Paid = Pick<OrderRow, 'total_cents' | 'currency' | 'line_count'> & {
  lines: readonly Pick<OrderLine, 'ordered' | 'cancelled' | 'shipping_cents'>[];
};

/**
 * Returns what the buyer paid as label and text: the goods, and the shipping if all lines are known and not all are cancelled.
 */
export function amountFacts({ total_cents: goods, currency, lines, line_count: count }: Paid): [string, string][] {
  const left = lines.filter(({ ordered, cancelled }) => cancelled < ordered);
  const shipping = left.reduce((sum, { shipping_cents: cents }) => sum + cents, 0);
  const text = goods === null ? 'noch nicht bekannt' : moneyText(goods, currency);
  if (shipping === 0) return [['Betrag', text]];
  if (lines.length < count) return [['Betrag der Ware', text]];
  return [
    ['Betrag der Ware', text],
    ['Versandkosten', moneyText(shipping, currency)],
    ...(goods === null ? [] : [['Zusammen', moneyText(goods + shipping, currency)] as [string, string]]),
  ];
}
