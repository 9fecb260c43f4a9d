import type { Cell } from './order-line.ts';
import type { Column } from './order-columns.ts';

type Row = readonly string[];

/** What programs write of pieces that nobody gets any more; OTTO and Amazon say by whom, Shopware in words of its own. */
const cancelled = /^(?:wc-)?cancell?ed(?:[ _]by[ _]\w+)?$|^(?:storniert(?: ?\/ ?abgelehnt)?|abgebrochen)$/i;
/** And of pieces that have gone, all of them. */
const shipped = /^(?:shipped|fulfilled|versandt|versendet)$/i;
/** Shopware 5 numbers its states: 4 is cancelled. */
const cancelledNumber = '4';

/** What a row says of its line that is not open: all its pieces are cancelled, or gone. What stands on the order's first row alone is true of all. */
export function stateOf(
  record: Row,
  { head, ordered, cell }: { head: Row; ordered: number; cell: Cell },
): { shipped?: number; cancelled?: number } {
  const ofOrder = (column: Column) => cell(record, column) || cell(head, column);
  const said = [cell(record, 'lineState'), ofOrder('orderState')];
  const counted = Number(cell(record, 'shipped')) || 0;
  const isCancelled =
    said.some((state) => cancelled.test(state)) ||
    ofOrder('cancelledAt') !== '' ||
    ofOrder('stateNumber') === cancelledNumber;
  if (isCancelled) return { shipped: Math.max(0, counted), cancelled: Math.max(0, ordered - counted) || 0 };
  const gone = counted === 0 && said.some((state) => shipped.test(state)) ? ordered : counted;
  return gone > 0 ? { shipped: gone } : {};
}
