import { reasonWords } from '#shared/orders/reason-words.ts';
import type { ActionState, OrderAction } from '#shared/orders/schema.ts';
import { moneyText } from '#shared/values/money-text.ts';
import type { BadgeTone } from '#client/ui/badge.tsx';
import { formatCount } from '#client/ui/text/formats.ts';

type Mark = { tone: BadgeTone; text: string };

const stateMarks: Record<ActionState, Mark> = {
  new: { tone: 'blue', text: 'wird gesendet' },
  sending: { tone: 'blue', text: 'wird gesendet' },
  submitted: { tone: 'blue', text: 'wartet auf den Marktplatz' },
  unknown: { tone: 'yellow', text: 'wird beim Marktplatz nachgesehen' },
  unclear: { tone: 'red', text: 'Klärung nötig' },
  done: { tone: 'green', text: 'erledigt' },
  refused: { tone: 'red', text: 'abgelehnt' },
  superseded: { tone: 'gray', text: 'überholt, nicht gesendet' },
};

/** Returns the state of an action as a badge. */
export function actionMark({ state, sends, resolution }: OrderAction): Mark {
  if (state === 'refused' && resolution !== '') return { tone: 'gray', text: 'nicht geschehen' };
  if (state === 'refused' && sends === 0) return { tone: 'gray', text: 'nicht gesendet' };
  return stateMarks[state];
}

/** „Versand von 2 Stück mit DHL 0034…“ */
export function actionTitle({ kind, lines, carrier, tracking, reason, cents }: OrderAction, currency: string): string {
  const pieces = formatCount(
    lines.reduce((sum, { quantity }) => sum + quantity, 0),
    'Stück',
    'Stück',
  );
  if (kind === 'ship') return `Versand von ${pieces} mit ${carrier} ${tracking}`.trim();
  if (kind === 'cancel') return `Stornierung von ${pieces}: ${reasonWords(reason)}`;
  const paid = cents === null || cents === 0 ? '' : ` mit Erstattung von ${moneyText(cents, currency)}`;
  if (kind === 'return') return `Retoure von ${pieces}${paid}: ${reasonWords(reason)}`;
  return `Erstattung von ${cents === null ? '–' : moneyText(cents, currency)}: ${reasonWords(reason)}`;
}

/** What the channel answered. The message usually consists of the issues' texts: each is said once. */
export function answerTexts({ message, issues }: Pick<OrderAction, 'message' | 'issues'>): string[] {
  const others = issues.map((issue) => issue.message).filter((text) => !message.includes(text));
  return [...new Set([message, ...others])].filter((text) => text !== '');
}
