import { NewOrder } from '#shared/orders/intake.ts';
import { refusalText } from '#platform/http/refusal-texts.ts';
import { readOpenTrans } from '#orders/files/xml/open-trans.ts';
import { readOrderTable } from './order-table.ts';
import { rejectionText } from './rejection-text.ts';

/** An order as a file has it, before it is checked like one of a call. */
export type DraftOrder = {
  orderid: string;
  placed_at: string;
  ship_by?: string | undefined;
  deliver_by?: string | undefined;
  currency: string;
  country: string;
  buyer_order_number: string;
  lines: {
    productid: string;
    sku: string;
    title: string;
    ordered: number;
    unit_cents: number | null;
    tax_rate: number | null;
    shipping_cents: number;
    discount_cents?: number;
    shipped?: number;
  }[];
  persons: Partial<NonNullable<NewOrder['persons']>>;
  /** What makes it unreadable whatever else it says, in words for people. */
  fault?: string | undefined;
};
/** `cancelRequests`: orders whose buyers ask to cancel. `rejected`: what belongs to no order. */
export type OrderFile = { orders: DraftOrder[]; cancelRequests: string[]; rejected?: ReadOrders['rejected'] };

export type ReadOrders = {
  orders: NewOrder[];
  cancelRequests: string[];
  rejected: { orderid: string; message: string }[];
};

/** Reads a file of orders: openTRANS, or a table whose header names its columns. Orders that are wrong are named, the others read. */
export function readOrderFile(bytes: Uint8Array): ReadOrders {
  const text = textOf(bytes);
  const file = text.trimStart().startsWith('<') ? readOpenTrans(text) : readOrderTable(text);
  const read: ReadOrders = { orders: [], cancelRequests: file.cancelRequests, rejected: [...(file.rejected ?? [])] };
  for (const { fault, ...draft } of file.orders) {
    if (fault !== undefined) {
      read.rejected.push({ orderid: draft.orderid, message: fault });
      continue;
    }
    const parsed = NewOrder.safeParse(withDiscounts(draft), { error: refusalText });
    if (parsed.success) read.orders.push(parsed.data);
    else read.rejected.push({ orderid: draft.orderid, message: rejectionText(draft, parsed.error) });
  }
  return read;
}

/** UTF-8 or UTF-16 by its mark; without one UTF-8 where it is valid, else Windows' western table, as German programs write it. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Lines below zero (vouchers, discounts) are taken off the others, the dearest first; they are no articles. */
function withDiscounts(draft: DraftOrder): DraftOrder {
  const worth = ({ unit_cents, ordered, discount_cents = 0 }: DraftOrder['lines'][number]) =>
    (unit_cents ?? 0) * ordered - discount_cents;
  // A quantity that is no number is named by the check.
  let left = draft.lines.reduce((sum, line) => sum + Math.max(0, -worth(line) || 0), 0);
  if (left === 0) return draft;
  const lines = draft.lines.filter((line) => !(worth(line) < 0)).map((line) => ({ ...line }));
  for (const line of lines.toSorted((one, other) => worth(other) - worth(one))) {
    const taken = Math.min(worth(line) || 0, left);
    line.discount_cents = (line.discount_cents ?? 0) + taken;
    left -= taken;
  }
  return { ...draft, lines };
}
