import { centsOfAmount } from '#marketplaces/amounts.ts';
import type { Person } from '#shared/orders/persons.ts';
import { momentOf } from '#orders/files/days/moments.ts';
import { taxRate } from '#orders/files/amounts/net-amounts.ts';
import type { OrderFormat } from '#orders/files/formats/order-format.ts';
import type { DraftOrder } from '#orders/files/order-file.ts';
import { amountFault, earliest, type Line, personOf, personsOf, stateFault } from './json-lines.ts';
import { type JsonNode, type JsonValue, nodeOf, nodesOf, nodesThat, textOf } from './json-tree.ts';

/** Orders of OTTO Market, as its orders API gives them (version 4). A position is one piece; prices have tax. */
export const otto: OrderFormat<JsonValue> = {
  name: 'Bestellungen von OTTO (JSON)',
  read: (document) => {
    const orders = nodesThat(
      document,
      (node) => textOf(node, 'salesOrderId') + textOf(node, 'orderNumber') !== '' && 'positionItems' in node,
    );
    return orders.length === 0 ? undefined : { orders: orders.map(orderOf), cancelRequests: [] };
  },
};

const knownStates: ReadonlySet<string> = new Set([
  'ANNOUNCED',
  'PROCESSABLE',
  'SENT',
  'RETURNED',
  'CANCELLED_BY_PARTNER',
  'CANCELLED_BY_MARKETPLACE',
]);

/** Positions of one order, as many as an order may have. */
const MOST_POSITIONS = 1_000;
const tooManyPositions =
  'Die Bestellung hat mehr als 1.000 Positionen. So viele kann eine Bestellung hier nicht haben; sie wurde nicht übernommen. Bitte bearbeiten Sie diese Bestellung bei OTTO.';

function orderOf(order: JsonNode): DraftOrder {
  const all = nodesOf(order, 'positionItems');
  const items = all.slice(0, MOST_POSITIONS);
  const lines = withFees(items.map(lineOf), nodesOf(order, 'initialDeliveryFees'));
  const delivery = addressOf(order, 'deliveryAddress');
  const currencies = items.map((item) => textOf(item, 'itemValueGrossPrice', 'currency'));
  const states = items.map(stateOf);
  return {
    // The number that the seller's pages, the documents and the buyer know.
    orderid: textOf(order, 'orderNumber') || textOf(order, 'salesOrderId'),
    placed_at: momentOf(textOf(order, 'orderDate')),
    changed_at: momentOf(textOf(order, 'lastModifiedDate')) || undefined,
    // An order is as far as the least of its positions.
    pending: states.includes('ANNOUNCED'),
    deliver_by: momentOf(earliest(items.map((item) => textOf(item, 'expectedDeliveryDate'))) ?? '') || undefined,
    currency: currencies.find((currency) => currency !== '') ?? 'EUR',
    country: delivery?.country ?? '',
    buyer_order_number: '',
    lines: [...lines, ...discountsOf(order, items)],
    persons: personsOf(delivery, addressOf(order, 'invoiceAddress')),
    fault: all.length > MOST_POSITIONS ? tooManyPositions : faultOf(order, items),
  };
}

const stateOf = (item: JsonNode): string => textOf(item, 'fulfillmentStatus').toUpperCase();
const centsIn = (item: JsonNode, name: string): number | null => centsOfAmount(textOf(item, name, 'amount'));

function lineOf(item: JsonNode): Line {
  const state = stateOf(item);
  const gross = centsIn(item, 'itemValueGrossPrice');
  const reduced = centsIn(item, 'itemValueReducedGrossPrice');
  const discount = centsIn(item, 'itemValueDiscount') ?? (gross === null || reduced === null ? 0 : gross - reduced);
  return {
    productid: textOf(item, 'positionItemId'),
    sku: textOf(item, 'product', 'sku') || textOf(item, 'product', 'articleNumber'),
    title: textOf(item, 'product', 'productTitle'),
    ordered: 1,
    unit_cents: gross ?? reduced,
    discount_cents: Math.min(Math.abs(discount), Math.max(0, gross ?? 0)),
    tax_rate: taxRate(textOf(item, 'product', 'vatRate')),
    shipping_cents: 0,
    // Pieces that came back went out before; their return is booked in Kontor.
    ...(/^(?:SENT|RETURNED)$/.test(state) && { shipped: 1 }),
    ...(state.startsWith('CANCELLED') && { cancelled: 1 }),
  };
}

/** A fee is for some of the positions: it is on the first of them that is there, whatever became of it, so that no reading moves it. */
function withFees(lines: readonly Line[], fees: readonly JsonNode[]): Line[] {
  const added = new Map<string, number>();
  const places = new Map(lines.map(({ productid }, at) => [productid, at]));
  for (const fee of fees) {
    const first = idsOf(fee).reduce((least, id) => Math.min(least, places.get(id) ?? lines.length), lines.length);
    const bearer = lines[first] ?? lines[0];
    if (bearer === undefined) continue;
    added.set(bearer.productid, (added.get(bearer.productid) ?? 0) + (centsIn(fee, 'deliveryFeeAmount') ?? 0));
  }
  return lines.map((line) => ({ ...line, shipping_cents: added.get(line.productid) ?? 0 }));
}

function idsOf(node: JsonNode): string[] {
  const ids = node['positionItemIds'];
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
}

/** Discounts of the order as lines below zero, where the positions do not name their shares. */
function discountsOf(order: JsonNode, items: readonly JsonNode[]): Line[] {
  const isShared = items.some((item) => 'itemValueDiscount' in item || 'itemValueReducedGrossPrice' in item);
  const discounts = isShared ? [] : nodesOf(order, 'initialDiscounts');
  const cents = discounts.reduce((sum, one) => sum + Math.abs(centsIn(one, 'discountAmount') ?? 0), 0);
  const line = { productid: 'discount', sku: 'discount', title: '', ordered: 1, tax_rate: null, shipping_cents: 0 };
  return cents === 0 ? [] : [{ ...line, unit_cents: -cents }];
}

function faultOf(order: JsonNode, items: readonly JsonNode[]): string | undefined {
  const amounts = items.flatMap((item, at) =>
    ['itemValueGrossPrice', 'itemValueReducedGrossPrice', 'itemValueDiscount'].map((name) =>
      amountFault(at + 1, 'Preis', textOf(item, name, 'amount')),
    ),
  );
  const fees = nodesOf(order, 'initialDeliveryFees').map((fee) =>
    amountFault(1, 'Versandkosten', textOf(fee, 'deliveryFeeAmount', 'amount')),
  );
  const discounts = nodesOf(order, 'initialDiscounts').map((discount) =>
    amountFault(1, 'Rabatt', textOf(discount, 'discountAmount', 'amount')),
  );
  const unknown = items.map((item) => stateFault(stateOf(item), knownStates));
  return [...unknown, ...amounts, ...fees, ...discounts].find((fault) => fault !== undefined);
}

function addressOf(order: JsonNode, name: string): Person | undefined {
  const address = nodeOf(order, name);
  if (address === undefined) return undefined;
  return personOf({
    first: textOf(address, 'firstName'),
    last: textOf(address, 'lastName'),
    company: '',
    lines: [`${textOf(address, 'street')} ${textOf(address, 'houseNumber')}`.trim(), textOf(address, 'addition')],
    postalCode: textOf(address, 'zipCode'),
    city: textOf(address, 'city'),
    region: '',
    country: textOf(address, 'countryCode'),
    email: textOf(address, 'email'),
    phone: textOf(address, 'phoneNumber'),
  });
}
