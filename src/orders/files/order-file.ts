import { NewOrder } from '#shared/orders/intake.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { textOfBytes } from '#platform/text/text-of-bytes.ts';
import { refusalText } from '#platform/http/refusal-texts.ts';
import { jsonFormats, xmlFormats } from './formats/formats.ts';
import { readJson } from './json/json-tree.ts';
import { type OrderFormat, readAs } from './formats/order-format.ts';
import { readXml } from '#platform/text/xml-tree.ts';
import { readOrderTable } from './order-table.ts';
import { otherKind } from './other-kinds.ts';
import { unpackedFile } from './receive-file.ts';
import { rejectionText, shownCell } from './rejection-text.ts';

/** An order as read from a file, before it is validated like an order of an API call. */
export type DraftOrder = {
  orderid: string;
  placed_at: string;
  /** The time of the channel's last change, by the channel's clock. */
  changed_at?: string | undefined;
  /** Whether the order must not be shipped yet. */
  pending?: boolean;
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
    cancelled?: number;
  }[];
  persons: Partial<NonNullable<NewOrder['persons']>>;
  /** An error that rejects the order whatever else it contains, as a text for people. */
  fault?: string | undefined;
};
/**
 * `cancelRequests`: orders whose buyers request a cancellation. `rejected`: entries that belong to no order. `ofPieces`: each
 * line is one piece, and the file may hold only some pieces of an order. `notes`: what the file as a whole lacks, for people.
 */
export type OrderFile = {
  orders: DraftOrder[];
  cancelRequests: string[];
  rejected?: ReadOrders['rejected'];
  ofPieces?: boolean;
  notes?: string[];
};

export type ReadOrders = {
  orders: NewOrder[];
  cancelRequests: string[];
  rejected: { orderid: string; message: string }[];
  ofPieces?: boolean;
  notes: string[] | undefined;
};

/**
 * Reads a file of orders, which may be gzipped: openTRANS, or a table whose header names its columns. Invalid orders are listed
 * in `rejected`, the others read.
 */
export function readOrderFile(bytes: Uint8Array): ReadOrders {
  const file = fileIn(unpackedFile(bytes));
  const read: ReadOrders = {
    orders: [],
    cancelRequests: file.cancelRequests,
    rejected: [...(file.rejected ?? [])],
    notes: file.notes,
    ...(file.ofPieces === true && { ofPieces: true }),
  };
  for (const { fault, ...draft } of file.orders) {
    const message = fault ?? belowZero(draft.lines);
    if (message !== undefined) {
      read.rejected.push({ orderid: draft.orderid, message });
      continue;
    }
    const parsed = NewOrder.safeParse(withDiscounts(draft), { error: refusalText });
    if (parsed.success) read.orders.push(parsed.data);
    else read.rejected.push({ orderid: draft.orderid, message: rejectionText(draft, parsed.error) });
  }
  return read;
}

/** Parses the file. @throws KontorError; if the file is of another kind, the message says which */
function fileIn(bytes: Uint8Array): OrderFile {
  const text = textOfBytes(bytes);
  try {
    const start = text.trimStart();
    if (start.startsWith('<')) return readXmlOrders(text);
    return /^[[{]\s*["{[\]}]/.test(start) ? readJsonOrders(text) : readOrderTable(text);
  } catch (error) {
    const kind = otherKind(bytes);
    if (!(error instanceof KontorError) || kind === undefined) throw error;
    throw new KontorError(error.status, error.code, kind, { cause: error });
  }
}

function readXmlOrders(text: string): OrderFile {
  const document = readXml(text);
  const file = readAs(xmlFormats, document);
  if (file !== undefined) return file;
  throw unprocessable(
    'no_order',
    `Die Datei enthält keine Bestellung: Sie ist XML der Art „${shownCell(document.name)}“. ${readInstead(xmlFormats)}`,
  );
}

function readJsonOrders(text: string): OrderFile {
  const file = readAs(jsonFormats, readJson(text));
  if (file !== undefined) return file;
  throw unprocessable(
    'no_order',
    `Die Datei ist JSON, aber keine Bestellung eines Formats, das hier bekannt ist. ${readInstead(jsonFormats)} Ein Programm kann Bestellungen auch über „POST /api/orders“ übergeben.`,
  );
}

const readInstead = (formats: readonly OrderFormat<never>[]): string =>
  `Gelesen werden ${formats.map(({ name }) => name).join(', ')} und Tabellen als CSV oder Excel. Es wurde nichts gespeichert. Bitte wählen Sie die Datei mit den Bestellungen, oder exportieren Sie diese als CSV.`;

const worth = ({ unit_cents, ordered, discount_cents = 0 }: DraftOrder['lines'][number]): number =>
  (unit_cents ?? 0) * ordered - discount_cents;

/**
 * Returns why lines with a negative quantity are no discount: they are pieces taken back, and the file does not say how many
 * remain.
 */
function belowZero(lines: DraftOrder['lines']): string | undefined {
  const given = new Map(
    lines.toReversed().flatMap((line) => (line.ordered > 0 ? [[line.sku, line.ordered] as const] : [])),
  );
  for (const { sku, ordered } of lines) {
    const other = ordered < 0 && sku !== '' ? given.get(sku) : undefined;
    if (other !== undefined)
      return `Der Artikel „${shownCell(sku)}“ steht mit den Mengen ${other} und ${ordered} in der Bestellung: Wie viele Stück zu versenden sind, ist damit nicht klar. Bitte führen Sie ihn nur mit der Menge auf, die noch bestellt ist.`;
  }
  return lines.length > 0 && lines.every((line) => line.ordered < 0 || worth(line) < 0) ? allBelowZero : undefined;
}

const allBelowZero =
  'Alle Mengen oder Beträge liegen unter null: Das ist eine Stornierung oder Gutschrift, keine Bestellung. Bitte stornieren Sie hier die Bestellung, zu der sie gehört, oder nehmen Sie deren Retoure an.';

/** Subtracts negative lines (vouchers, discounts) from the others, the dearest first, and removes them: they are no articles. */
function withDiscounts(draft: DraftOrder): DraftOrder {
  // A quantity that is not a number is reported by the later check.
  let left = draft.lines.reduce((sum, line) => sum + Math.max(0, -worth(line) || 0), 0);
  if (left === 0) return draft;
  const lines = draft.lines.filter((line) => !(worth(line) < 0)).map((line) => ({ ...line }));
  // Cancelled lines keep their share, so that reading the file again moves nothing.
  for (const line of lines.toSorted((one, other) => worth(other) - worth(one))) {
    const taken = Math.min(worth(line) || 0, left);
    line.discount_cents = (line.discount_cents ?? 0) + taken;
    left -= taken;
  }
  return { ...draft, lines };
}
