import { isMoment } from './days/moments.ts';
import type { Cell } from './order-line.ts';
import type { Column } from './order-columns.ts';
import { shownCell } from './rejection-text.ts';

type Row = readonly string[];

/** States of cancelled pieces; OTTO and Amazon add by whom, Shopware has words of its own. */
const cancelled = /^(?:wc-)?cancell?ed(?:[ _]by[ _]\w+)?$|^(?:storniert(?: ?\/ ?abgelehnt)?|abgebrochen)$/i;
/** States of lines that are shipped completely. */
const shipped =
  /^(?:shipped(?: - .*)?|delivered|fulfilled|sent(?:_and_autopaid)?|(?:komplett |vollständig )?(?:versandt|versendet)|(?:komplett|vollständig) ausgeliefert)$/i;
/** Kaufland's states of pieces that were delivered or returned. Elsewhere they may mean that the order was received. */
const shippedPiece = /^(?:received|returned(?:_paid)?)$/i;
/** Shopware 5 numbers its states: 4 is cancelled. */
const cancelledNumber = '4';

const isCount = (text: string): boolean => /^\d{1,9}(?:[.,]\d+)?$/.test(text);

function countIn(record: Row, column: Column, cell: Cell): number {
  const text = cell(record, column);
  return isCount(text) ? Number(text.replace(',', '.')) : 0;
}

/** Returns why a row's counts of cancelled or refunded pieces cannot be read, as a text for people. */
export function countFault(record: Row, cell: Cell): string | undefined {
  const texts = [cell(record, 'cancelledCount'), cell(record, 'refunded')];
  const wrong = texts.find((text) => text !== '' && !isCount(text));
  return wrong === undefined
    ? undefined
    : `storniert oder erstattet: „${shownCell(wrong)}“ ist keine Anzahl. Bitte nur die Zahl schreiben, zum Beispiel 2.`;
}

/**
 * Returns how many pieces of a row's line are shipped or cancelled. A state of the whole order on its first row applies to all
 * rows.
 */
export function stateOf(
  record: Row,
  { head, ordered, cell }: { head: Row; ordered: number; cell: Cell },
): { ordered?: number; shipped?: number; cancelled?: number } {
  const ofOrder = (column: Column) => cell(record, column) || cell(head, column);
  const hasOwnNumber = cell(record, 'order') !== '';
  const bare = hasOwnNumber ? cell(record, 'bareState') : ofOrder('bareState');
  const [line, order] = [cell(record, 'lineState'), ofOrder('orderState') || bare];
  const counted = Number(cell(record, 'shipped')) || 0;
  const isCancelled =
    cancelled.test(line) ||
    cancelled.test(order) ||
    [record, head].some((row) => isMoment(cell(row, 'cancelledAt'))) ||
    ofOrder('stateNumber') === cancelledNumber;
  // Amazon counts 0 pieces for a cancelled line: 1 cancels all its pieces that were read before.
  if (isCancelled && ordered === 0) return { ordered: 1, cancelled: 1 };
  if (isCancelled) return { shipped: Math.max(0, counted), cancelled: Math.max(0, ordered - counted) || 0 };
  // An order may count as shipped although this line is not.
  const isShipped = shipped.test(line || order) || (cell(record, 'unit') !== '' && shippedPiece.test(order));
  const shippedCount = counted === 0 && isShipped ? ordered : counted;
  // Magento: what was refunded and never shipped is not shipped any more.
  const off = countIn(record, 'cancelledCount', cell) + Math.max(0, countIn(record, 'refunded', cell) - shippedCount);
  return { ...(shippedCount > 0 && { shipped: shippedCount }), ...(off > 0 && { cancelled: off }) };
}
