import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

/** OIM-01: what a form does to a line, as the wire spells it. */
export type ItemMode = 'sent' | 'cancel' | 'return';
export const itemModes = ['sent', 'cancel', 'return'] as const satisfies readonly ItemMode[];

/** A line of an order and what is to be done to it. */
export type ItemAction = { mode: ItemMode; order: OrderRow; line: OrderLine };

export const modeWords = {
  sent: { button: 'Versenden', title: 'Versand melden', save: 'Speichern' },
  cancel: { button: 'Stornieren', title: 'Position stornieren', save: 'Stornieren' },
  return: { button: 'Retoure', title: 'Retoure annehmen', save: 'Retoure annehmen' },
} as const;

/** How many pieces the form offers at first: all that are possible. */
export const presetOf = ({ mode, line }: ItemAction): number =>
  Math.min(line.ordered, Math.max(1, mode === 'return' ? line.returnable : line.open));

/** What the form says of the pieces: those open where it sends or cancels, those that can come back where it takes some back. */
export function piecesText(mode: ItemMode, { ordered, open, returnable }: Pieces): string {
  const which = mode === 'return' ? `${formatInteger(returnable)} beim Käufer` : `${formatInteger(open)} offen`;
  return `${formatCount(ordered, 'Stück', 'Stück')} bestellt, ${which}`;
}
type Pieces = Pick<OrderLine, 'ordered' | 'open' | 'returnable'>;

/** The first thing that can be done to a line. */
export const firstMode = (line: OrderLine): ItemMode | undefined => itemModes.find((mode) => line[mode].possible);
