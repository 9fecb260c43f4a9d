import type { ActionState, OrderAction } from '#shared/orders/schema.ts';
import { cancelReasons, returnReasons } from '#shared/orders/schema.ts';
import type { BadgeTone } from '#client/ui/badge.tsx';
import { moneyText } from '#shared/values/money-text.ts';
import { formatCount } from '#client/ui/text/formats.ts';

/** How far an action is, for those who wait for it. */
export const actionStateWords: Record<ActionState, { tone: BadgeTone; text: string }> = {
  new: { tone: 'blue', text: 'wird gesendet' },
  sending: { tone: 'blue', text: 'wird gesendet' },
  submitted: { tone: 'blue', text: 'wartet auf den Marktplatz' },
  unknown: { tone: 'yellow', text: 'wird beim Marktplatz nachgesehen' },
  unclear: { tone: 'red', text: 'Klärung nötig' },
  done: { tone: 'green', text: 'erledigt' },
  refused: { tone: 'red', text: 'abgelehnt' },
  superseded: { tone: 'gray', text: 'überholt, nicht gesendet' },
};

const reasons: Record<string, string> = { ...cancelReasons, ...returnReasons };
export const reasonWords = (reason: string): string => reasons[reason] ?? reason;

/** „Versand von 2 Stück mit DHL 0034…“ */
export function actionTitle({ kind, lines, carrier, tracking, reason, cents }: OrderAction, currency: string): string {
  const pieces = formatCount(
    lines.reduce((sum, { quantity }) => sum + quantity, 0),
    'Stück',
    'Stück',
  );
  if (kind === 'ship') return `Versand von ${pieces} mit ${carrier} ${tracking}`.trim();
  if (kind === 'cancel') return `Stornierung von ${pieces}: ${reasonWords(reason)}`;
  if (kind === 'return') return `Retoure von ${pieces}: ${reasonWords(reason)}`;
  return `Erstattung von ${cents === null ? '–' : moneyText(cents, currency)}: ${reason}`;
}
