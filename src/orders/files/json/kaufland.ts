import type { Person } from '#shared/orders/persons.ts';
import { unprocessable } from '#platform/errors.ts';
import { momentOf } from '#orders/files/days/moments.ts';
import { percentRate } from '#orders/files/amounts/net-amounts.ts';
import type { OrderFormat } from '#orders/files/formats/order-format.ts';
import type { DraftOrder } from '#orders/files/order-file.ts';
import { shownCell } from '#orders/files/rejection-text.ts';
import { earliest, type Line, personOf, personsOf, stateFault } from './json-lines.ts';
import { type JsonNode, type JsonValue, nodeOf, nodesOf, nodesThat, textOf } from './json-tree.ts';

/** Order units of Kaufland, as its seller API (version 2) gives them alone or with their order. A unit is one piece; amounts are cents with tax. */
export const kaufland: OrderFormat<JsonValue> = {
  name: 'Bestelleinheiten von Kaufland (JSON)',
  read: (document) => {
    const found = nodesThat(
      document,
      (node) => hasUnits(node) || textOf(node, 'id_order_unit') !== '' || 'id_return_unit' in node,
    );
    // Only there: a unit of an order may contain its return.
    if (found.some((node) => 'id_return_unit' in node)) throw unprocessable('no_order', returnsAlone);
    const units = found.flatMap((node) => (hasUnits(node) ? unitsOf(node) : [node]));
    if (units.length > 0)
      return {
        orders: [...Map.groupBy(units, (unit) => textOf(unit, 'id_order'))].map(orderOf),
        cancelRequests: [],
        ofPieces: true,
      };
    const isList = nodesThat(document, (node) => 'id_order' in node && 'order_units_count' in node).length > 0;
    if (isList) throw unprocessable('no_order', withoutUnits);
    return undefined;
  },
};

const returnsAlone =
  'Die Datei ist eine Liste von Retouren bei Kaufland (return-units), keine von Bestellungen. Es wurde nichts gespeichert. Bitte laden Sie die Bestelleinheiten hoch (order-units); Retouren buchen Sie an der Bestellung.';
const withoutUnits =
  'Die Datei ist die Liste der Bestellungen von Kaufland: Sie nennt keine Artikel. Es wurde nichts gespeichert. Bitte laden Sie die Bestelleinheiten hoch (order-units), oder einzelne Bestellungen mit ihren Einheiten.';

const hasUnits = (node: JsonNode): boolean =>
  textOf(node, 'id_order') !== '' && nodesOf(node, 'order_units').length > 0;

/** Members of an order that its units may leave out: whose they are, and what applies to all of them. */
const ofOrder = [
  'id_order',
  'ts_created_iso',
  'ts_created',
  'delivery_time_expires_iso',
  'status',
  'currency',
  'fulfillment_type',
  'buyer',
  'shipping_address',
  'billing_address',
] as const;

/** The units of an order, each with what only the order says. Its other members are not copied: a hostile file has thousands. */
function unitsOf(order: JsonNode): JsonNode[] {
  const shared = Object.fromEntries(ofOrder.filter((name) => name in order).map((name) => [name, order[name]]));
  return nodesOf(order, 'order_units').map((unit) => ({ ...shared, ...unit }));
}

const known: ReadonlySet<string> = new Set([
  'open',
  'need_to_be_sent',
  'sent',
  'sent_and_autopaid',
  'received',
  'returned',
  'returned_paid',
  'cancelled',
]);
const shippedStates = /^(?:sent|received|sent_and_autopaid|returned|returned_paid)$/;

function orderOf([orderid, all]: [string, JsonNode[]]): DraftOrder {
  const own = all.filter((unit) => textOf(unit, 'fulfillment_type') !== 'fulfilled_by_kaufland');
  // Pieces that Kaufland sends itself are no work of the merchant's; an order of those alone is refused.
  const units = own.length === 0 ? all : own;
  const [first = {}] = units;
  const states = units.map((unit) => textOf(unit, 'status').toLowerCase());
  const delivery = addressOf(first, 'shipping_address');
  return {
    orderid,
    placed_at: moment(
      earliest(units.map((unit) => textOf(unit, 'ts_created_iso') || textOf(unit, 'ts_created'))) ?? '',
    ),
    // Not paid yet: it may not be sent.
    pending: states.includes('open'),
    deliver_by: moment(earliest(units.map((unit) => textOf(unit, 'delivery_time_expires_iso'))) ?? '') || undefined,
    currency: textOf(first, 'currency') || 'EUR',
    country: delivery?.country ?? '',
    buyer_order_number: '',
    lines: units.map((unit, at): Line => ({
      productid: textOf(unit, 'id_order_unit'),
      sku: textOf(unit, 'id_offer') || eanOf(unit),
      title: textOf(unit, 'product', 'title'),
      ordered: 1,
      unit_cents: centsIn(unit, 'price') ?? null,
      tax_rate: percentRate(textOf(unit, 'vat')),
      shipping_cents: centsIn(unit, 'shipping_rate') ?? 0,
      // Pieces that came back went out before; their return is booked in Kontor.
      ...(shippedStates.test(states[at] ?? '') && { shipped: 1 }),
      ...(states[at] === 'cancelled' && { cancelled: 1 }),
    })),
    persons: personsOf(delivery, addressOf(first, 'billing_address')),
    fault: own.length === 0 ? sentByKaufland : faultOf(units),
  };
}

/** Kaufland's documents end some moments with a second T: 2026-11-20T17:24:05T. */
const moment = (text: string): string => momentOf(text.replace(/(\d)T$/, '$1'));

const centsIn = (unit: JsonNode, name: string): number | undefined => {
  const text = textOf(unit, name);
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
};

function eanOf(unit: JsonNode): string {
  const eans = nodeOf(unit, 'product')?.['eans'];
  return Array.isArray(eans) && typeof eans[0] === 'string' ? eans[0] : '';
}

const sentByKaufland =
  'Diese Bestellung versendet Kaufland selbst (fulfilled_by_kaufland). Sie wurde nicht übernommen, damit sie niemand noch einmal verpackt.';

function faultOf(units: readonly JsonNode[]): string | undefined {
  const unknown = units.map((unit) => stateFault(textOf(unit, 'status').toLowerCase(), known));
  const fault = unknown.find((text) => text !== undefined);
  if (fault !== undefined) return fault;
  for (const [at, unit] of units.entries()) {
    for (const [name, label] of [
      ['price', 'Preis'],
      ['shipping_rate', 'Versandkosten'],
    ] as const) {
      const text = textOf(unit, name);
      if (text !== '' && centsIn(unit, name) === undefined)
        return `Position ${at + 1}, ${label}: „${shownCell(text)}“ ist keine ganze Zahl von Cent, wie Kaufland Beträge schreibt. Bitte laden Sie die Antwort von Kaufland unverändert hoch.`;
    }
  }
  return undefined;
}

function addressOf(unit: JsonNode, name: string): Person | undefined {
  const address = nodeOf(unit, name);
  if (address === undefined) return undefined;
  return personOf({
    first: textOf(address, 'first_name'),
    last: textOf(address, 'last_name'),
    company: textOf(address, 'company_name'),
    lines: [
      `${textOf(address, 'street')} ${textOf(address, 'house_number')}`.trim(),
      textOf(address, 'additional_field'),
    ],
    postalCode: textOf(address, 'postcode'),
    city: textOf(address, 'city'),
    region: '',
    country: textOf(address, 'country'),
    email: textOf(unit, 'buyer', 'email'),
    phone: textOf(address, 'phone'),
  });
}
