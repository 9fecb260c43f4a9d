import type { OrderFilter, OrderRow, OrderState } from '#shared/orders/schema.ts';
import type { BadgeTone } from '#client/ui/badge.tsx';

export type Mark = { readonly tone: BadgeTone; readonly text: string };

const states: Record<OrderState, Mark> = {
  pending: { tone: 'gray', text: 'vorgemerkt' },
  open: { tone: 'blue', text: 'offen' },
  part_shipped: { tone: 'blue', text: 'teilweise versandt' },
  shipped: { tone: 'green', text: 'versandt' },
  cancelled: { tone: 'gray', text: 'storniert' },
  returned: { tone: 'gray', text: 'retourniert' },
};
const holds: Record<Exclude<OrderRow['hold'], 'none'>, Mark> = {
  cancel_requested: { tone: 'yellow', text: 'Stornowunsch' },
  fraud: { tone: 'yellow', text: 'wird vom Marktplatz geprüft' },
};

export const filterLabels: Record<OrderFilter, string> = {
  offen: 'Offen',
  faellig: 'Heute fällig',
  stornowunsch: 'Stornowunsch',
  klaerung: 'Klärung nötig',
  vorgemerkt: 'Vorgemerkt',
  versandt: 'Versandt',
  storniert: 'Storniert',
  retourniert: 'Retourniert',
  alle: 'Alle',
};

/** What is to be known of an order: what has to be decided first, or how far it is. */
export function marksOf({ state, hold, unclear, open_pieces: open }: OrderRow): Mark[] {
  const waits = [
    ...(unclear > 0 ? [{ tone: 'red' as const, text: 'Klärung nötig' }] : []),
    ...(hold !== 'none' && open > 0 ? [holds[hold]] : []),
  ];
  // That it is open goes without saying where somebody has to decide.
  return state === 'open' && waits.length > 0 ? waits : [...waits, states[state]];
}

/** A length of time as one would say it: „25 Min.“, „5 Std.“, „3 Tage“. */
function lengthWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${Math.max(1, minutes)}\u00a0Min.`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}\u00a0Std.`;
  return `${Math.floor(hours / 24)}\u00a0Tage`;
}

/** How long there is to ship an order, in words; null where nothing waits for it. */
export function dueMark(order: Pick<OrderRow, 'ship_by' | 'open_pieces' | 'state'>, now: number): Mark | null {
  if (order.ship_by === null || order.open_pieces === 0 || order.state === 'pending') return null;
  const left = Date.parse(order.ship_by) - now;
  if (left < 0) return { tone: 'red', text: `überfällig seit ${lengthWords(-left)}` };
  return { tone: left < 24 * 60 * 60_000 ? 'yellow' : 'gray', text: `noch ${lengthWords(left)}` };
}

/** Tells orders apart: two channels may name one alike. */
export const orderKey = ({ channel, orderid }: { channel: string; orderid: string }): string => `${channel} ${orderid}`;
