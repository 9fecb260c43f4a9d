import { centsOfAmount } from '#marketplaces/amounts.ts';
import type { Person } from '#shared/orders/persons.ts';
import { lineIds } from '#orders/files/line-ids.ts';
import { momentOf } from '#orders/files/days/moments.ts';
import type { OrderFormat } from '#orders/files/formats/order-format.ts';
import type { DraftOrder } from '#orders/files/order-file.ts';
import { amountFault, type Line, personOf, personsOf, priceOf, stateFault } from './json-lines.ts';
import { type JsonNode, type JsonValue, nodeOf, nodesOf, nodesThat, textOf } from './json-tree.ts';

/** Orders of idealo Direktkauf, as its orders API gives them (version 2). Prices have tax; a line has no id but its article. */
export const idealo: OrderFormat<JsonValue> = {
  name: 'Bestellungen von idealo (JSON)',
  read: (document) => {
    const orders = nodesThat(document, (node) => textOf(node, 'idealoOrderId') !== '' && 'lineItems' in node);
    return orders.length === 0 ? undefined : { orders: orders.map(orderOf), cancelRequests: [] };
  },
};

const states: ReadonlySet<string> = new Set(['PROCESSING', 'COMPLETED', 'REVOKING', 'REVOKED']);
const partlyRevoked =
  'Die Bestellung ist zum Teil widerrufen (PARTIALLY_REVOKED), und die Datei nennt nicht, welche Stücke: Sie wurde nicht übernommen. Bitte versenden Sie, was davon bleibt, in idealo.';

function orderOf(order: JsonNode): DraftOrder {
  const items = nodesOf(order, 'lineItems');
  const status = textOf(order, 'status').toUpperCase();
  const ids = lineIds(items.map((item) => textOf(item, 'sku')));
  const lines = items.map((item, at): Line => {
    const ordered = Number(textOf(item, 'quantity') || Number.NaN);
    return {
      productid: ids[at] ?? '',
      sku: textOf(item, 'sku'),
      title: textOf(item, 'title'),
      ordered,
      ...priceOf(textOf(item, 'price'), ordered),
      tax_rate: null,
      shipping_cents: at === 0 ? shippingOf(order) : 0,
      ...(status === 'COMPLETED' && { shipped: ordered }),
      ...(status === 'REVOKED' && { cancelled: ordered }),
    };
  });
  const delivery = addressOf(order, 'shippingAddress');
  const faults = items.map((item, at) => amountFault(at + 1, 'Preis', textOf(item, 'price')));
  return {
    orderid: textOf(order, 'idealoOrderId'),
    placed_at: momentOf(textOf(order, 'created')),
    changed_at: momentOf(textOf(order, 'updated')) || undefined,
    // It is not known yet how many pieces are left.
    pending: status === 'REVOKING',
    currency: textOf(order, 'currency') || 'EUR',
    country: delivery?.country ?? '',
    buyer_order_number: '',
    lines,
    persons: personsOf(delivery, addressOf(order, 'billingAddress')),
    fault:
      (status === 'PARTIALLY_REVOKED' ? partlyRevoked : stateFault(status, states)) ??
      faults.find((fault) => fault !== undefined) ??
      amountFault(1, 'Versandkosten', textOf(order, 'shippingCosts')),
  };
}

/** What the buyer pays besides the articles: a delivery to the place of use is in the sum, and not always in the shipping costs. */
function shippingOf(order: JsonNode): number {
  const [offers, gross] = ['offersPrice', 'grossPrice'].map((name) => centsOfAmount(textOf(order, name)));
  const besides = offers === null || gross === null ? 0 : (gross ?? 0) - (offers ?? 0);
  return Math.max(centsOfAmount(textOf(order, 'shippingCosts')) ?? 0, besides);
}

function addressOf(order: JsonNode, name: string): Person | undefined {
  const address = nodeOf(order, name);
  if (address === undefined) return undefined;
  return personOf({
    first: textOf(address, 'firstName'),
    last: textOf(address, 'lastName'),
    company: textOf(address, 'companyName') || textOf(address, 'company'),
    lines: [textOf(address, 'addressLine1'), textOf(address, 'addressLine2')],
    postalCode: textOf(address, 'postalCode'),
    city: textOf(address, 'city'),
    region: '',
    country: textOf(address, 'countryCode'),
    email: textOf(order, 'customer', 'email'),
    phone: textOf(order, 'customer', 'phone'),
  });
}
