import type { OrderRow } from '#shared/orders/schema.ts';

/**
 * Says why none of an order's open pieces may be shipped, for example because the buyer wants to cancel; '' if they may. The
 * order may have been shipped since the list was loaded.
 */
export const notShippable = ({ open_pieces: open, parcel }: Pick<OrderRow, 'open_pieces' | 'parcel'>): string =>
  open === 0 ? 'Es ist kein Stück mehr offen.' : parcel.reason;
