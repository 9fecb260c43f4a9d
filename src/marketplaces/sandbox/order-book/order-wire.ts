import { amountOfCents } from '#marketplaces/amounts.ts';
import type { Place } from '#marketplaces/sandbox/offers.ts';
import { asShown, openPieces, shippedPieces, stateOf, type SandboxLine, type SandboxOrder } from './order.ts';

const iso = (at: number) => new Date(at).toISOString();

/** Returns an order as the API 2026-01-01 shows it, with the requested datasets. An unpaid one has neither price nor address. */
export function orderWire(found: SandboxOrder, place: Place, datasets: ReadonlySet<string>, now: number) {
  const order = asShown(found, now);
  const state = stateOf(order, now);
  const isPending = state === 'PENDING';
  const isIncluded = (name: string) => datasets.has(name);
  const { person, shipBy, deliverBy, at } = order;
  const total = order.lines.reduce((sum, line) => sum + lineCents(line), 0);
  return {
    orderId: order.id,
    createdTime: iso(at),
    lastUpdatedTime: iso(order.changedAt),
    programs: [...order.programs, ...(person.company === '' ? [] : ['AMAZON_BUSINESS'])],
    salesChannel: { channelName: 'AMAZON', marketplaceId: place.marketplace, marketplaceName: 'Amazon.de' },
    ...(isIncluded('BUYER') && !isPending ? { buyer: buyerOf(order) } : {}),
    ...(isIncluded('RECIPIENT') && !isPending && !order.byAmazon
      ? { recipient: { deliveryAddress: addressOf(order) } }
      : {}),
    ...(isIncluded('PROCEEDS') && !isPending
      ? { proceeds: { grandTotal: money(total, place), breakdowns: breakdowns(order.lines, place) } }
      : {}),
    ...(isIncluded('FULFILLMENT')
      ? {
          fulfillment: {
            fulfillmentStatus: state,
            fulfilledBy: order.byAmazon ? 'AMAZON' : 'MERCHANT',
            fulfillmentServiceLevel: 'STANDARD',
            shipByWindow: { earliestDateTime: iso(at), latestDateTime: iso(shipBy) },
            deliverByWindow: { earliestDateTime: iso(shipBy), latestDateTime: iso(deliverBy) },
          },
        }
      : {}),
    orderItems: order.lines.map((line) => itemWire(order, line, { place, isIncluded, isPending })),
    ...(isIncluded('PACKAGES') && !order.byAmazon ? { packages: packagesOf(order) } : {}),
  };
}

const lineCents = ({ cents, ordered, shippingCents }: SandboxLine) => cents * ordered + shippingCents;
const money = (cents: number, { currency }: Place) => ({
  amount: amountOfCents(cents).toFixed(2),
  currencyCode: currency,
});

/** Prices include tax, as in all of Europe: there is no tax row. */
function breakdowns(lines: readonly SandboxLine[], place: Place) {
  const goods = lines.reduce((sum, { cents, ordered }) => sum + cents * ordered, 0);
  const shipping = lines.reduce((sum, { shippingCents }) => sum + shippingCents, 0);
  return [
    { type: 'ITEM', subtotal: money(goods, place) },
    ...(shipping === 0 ? [] : [{ type: 'SHIPPING', subtotal: money(shipping, place) }]),
  ];
}

type WireContext = { place: Place; isIncluded: (name: string) => boolean; isPending: boolean };

function itemWire(order: SandboxOrder, line: SandboxLine, { place, isIncluded, isPending }: WireContext) {
  const { id, ordered, sku, asin, cents, request, cancelledBy } = line;
  return {
    orderItemId: id,
    quantityOrdered: ordered,
    product: {
      asin,
      title: `Artikel ${sku}`,
      sellerSku: sku,
      condition: { conditionType: 'NEW', conditionSubtype: 'NEW' },
      ...(isPending ? {} : { price: { unitPrice: money(cents, place) } }),
    },
    ...(isIncluded('PROCEEDS') && !isPending
      ? { proceeds: { proceedsTotal: money(lineCents(line), place), breakdowns: breakdowns([line], place) } }
      : {}),
    ...(isIncluded('CANCELLATION') && (request !== null || cancelledBy !== null)
      ? {
          cancellation: {
            ...(request === null ? {} : { cancellationRequest: { requester: 'BUYER', cancelReason: request } }),
            ...(cancelledBy === null ? {} : { cancellationExecution: { cancelledBy, cancelReason: 'Cancelled' } }),
          },
        }
      : {}),
    ...(isIncluded('FULFILLMENT')
      ? {
          fulfillment: {
            quantityFulfilled: shippedPieces(order, id),
            quantityUnfulfilled: isPending ? 0 : openPieces(order, line),
          },
        }
      : {}),
  };
}

function buyerOf({ person }: SandboxOrder) {
  return {
    buyerName: person.name,
    buyerEmail: person.email,
    ...(person.company === '' ? {} : { buyerCompanyName: person.company }),
    ...(person.orderNumber === '' ? {} : { buyerPurchaseOrderNumber: person.orderNumber }),
  };
}

function addressOf({ person }: SandboxOrder) {
  return {
    name: person.name,
    companyName: person.company,
    addressLine1: person.street,
    addressLine2: person.addition,
    city: person.city,
    postalCode: person.postalCode,
    countryCode: person.country,
    phone: person.phone,
    addressType: person.company === '' ? 'RESIDENTIAL' : 'COMMERCIAL',
  };
}

const packagesOf = ({ parcels }: SandboxOrder) =>
  parcels.map(({ reference, carrier, tracking, shippedAt, confirmedAt, delivered, items }) => ({
    packageReferenceId: reference,
    createdTime: iso(confirmedAt),
    packageStatus: delivered
      ? { status: 'DELIVERED' }
      : // The documentation lists four detailed states, but its own sample has this fifth one.
        { status: 'IN_TRANSIT', detailedStatus: 'OUT_FOR_DELIVERY' },
    carrier,
    shipTime: iso(shippedAt),
    trackingNumber: tracking,
    packageItems: items.map(({ line, quantity }) => ({ orderItemId: line, quantity })),
  }));
