import type { ChannelLine, ChannelOrder, ChannelShipment, Person, Persons } from '#marketplaces/orders-port.ts';
import { lineAmounts } from './line-amounts.ts';
import type { AmazonItem, AmazonOrder, AmazonPackage } from './order-answers.ts';

/** Programs whose parcels Amazon announces itself: it refuses our confirmation, or needs none. */
const CONFIRMED_BY_AMAZON: ReadonlySet<string> = new Set([
  'FBM_SHIP_PLUS',
  'AMAZON_EASY_SHIP',
  'DELIVERY_BY_AMAZON',
  'IN_STORE_PICK_UP',
]);

/** Translates an order of Amazon into the port's types. `currency`: the marketplace's, for an order that names none yet. */
export function readOrder(order: AmazonOrder, currency: string): ChannelOrder {
  const { fulfillment, buyer, recipient, programs } = order;
  const state = word(fulfillment?.fulfillmentStatus).replace('CANCELED', 'CANCELLED');
  const fulfilledBy = word(fulfillment?.fulfilledBy);
  const pending = state === 'PENDING' || state === 'PENDING_AVAILABILITY';
  const lines = order.orderItems.map((item) => readLine(item, state, pending));
  const shipments = order.packages?.map((one) => readPackage(one, order));
  const parcels = shipments?.filter((one) => one.state !== 'cancelled') ?? [];
  const isSent = parcels.length > 0 && lines.every((line) => openPieces(line) === 0);
  const arrived = isSent && parcels.every((one) => one.state === 'delivered');
  return {
    order: order.orderId,
    placedAt: order.createdTime,
    changedAt: order.lastUpdatedTime,
    rawState: fulfillment?.fulfillmentStatus ?? '',
    pending,
    hold: lines.some((line) => line.cancelRequest !== undefined && openPieces(line) > 0) ? 'cancel_requested' : 'none',
    fulfilledBy: fulfilledBy === 'AMAZON' ? 'marketplace' : 'merchant',
    // Nothing is ever sent unless Amazon says that the merchant ships it.
    confirmable: fulfilledBy === 'MERCHANT' && !programs.some((one) => CONFIRMED_BY_AMAZON.has(one)),
    shipBy: fulfillment?.shipByWindow?.latestDateTime,
    deliverBy: fulfillment?.deliverByWindow?.latestDateTime,
    // A parcel shows that it arrived, but not when. The order's last change is the latest possible time.
    deliveredAt: arrived ? order.lastUpdatedTime : undefined,
    currency: currencyOf(order) ?? currency,
    country: recipient?.deliveryAddress?.countryCode ?? '',
    taxScheme: taxSchemeOf(order),
    programs,
    buyerOrderNumber: buyer?.buyerPurchaseOrderNumber ?? '',
    replaces: order.associatedOrders.find((one) => one.associationType.endsWith('ORIGINAL_ID'))?.orderId ?? '',
    complete: true,
    lines,
    shipments,
    persons: personsOf(order),
  };
}

/** Normalises one of Amazon's state words to the present API's spelling: the previous one wrote 'Canceled' and 'Unshipped'. */
const word = (text: string | undefined): string => (text ?? '').toUpperCase();

const openPieces = ({ ordered, shipped, cancelled }: ChannelLine) => ordered - shipped - cancelled;

function readLine(item: AmazonItem, state: string, pending: boolean): ChannelLine {
  const { product, cancellation } = item;
  const request = cancellation?.cancellationExecution === undefined ? cancellation?.cancellationRequest : undefined;
  return {
    line: item.orderItemId,
    sku: product?.sellerSku ?? '',
    title: product?.title ?? '',
    productId: product?.asin ?? '',
    ordered: item.quantityOrdered,
    ...counts(item, state, pending),
    ...lineAmounts(item),
    cancelRequest:
      request === undefined
        ? undefined
        : { by: request.requester === 'BUYER' ? 'buyer' : 'channel', reason: request.cancelReason },
  };
}

/** Amazon does not report cancelled pieces: they are those neither shipped nor still to be shipped. */
function counts(item: AmazonItem, state: string, pending: boolean): { shipped: number; cancelled: number } {
  const ordered = item.quantityOrdered;
  const { quantityFulfilled, quantityUnfulfilled } = item.fulfillment ?? {};
  const usual = state === 'SHIPPED' ? ordered - (quantityUnfulfilled ?? 0) : 0;
  const shipped = Math.min(ordered, Math.max(0, quantityFulfilled ?? usual));
  if (pending) return { shipped, cancelled: 0 };
  if (state === 'CANCELLED') return { shipped, cancelled: ordered - shipped };
  if (quantityFulfilled !== undefined && quantityUnfulfilled !== undefined)
    return { shipped, cancelled: Math.max(0, ordered - shipped - quantityUnfulfilled) };
  return { shipped, cancelled: item.cancellation?.cancellationExecution === undefined ? 0 : ordered - shipped };
}

const packageStates: Readonly<Record<string, ChannelShipment['state']>> = {
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
  UNDELIVERABLE: 'undeliverable',
};

/** Reads a parcel. An unknown state (Amazon's own examples have some) means that it is on its way. */
function readPackage(found: AmazonPackage, order: AmazonOrder): ChannelShipment {
  return {
    reference: found.packageReferenceId,
    carrier: found.carrier,
    tracking: found.trackingNumber,
    shippedAt: found.shipTime ?? found.createdTime ?? order.lastUpdatedTime,
    state: packageStates[found.packageStatus?.status ?? ''] ?? 'shipped',
    lines: found.packageItems.map(({ orderItemId, quantity }) => ({ line: orderItemId, quantity })),
  };
}

function currencyOf({ proceeds, orderItems }: AmazonOrder): string | undefined {
  const prices = orderItems.flatMap(({ product, proceeds: own }) => [product?.price?.unitPrice, own?.proceedsTotal]);
  return [proceeds?.grandTotal, ...prices].find((one) => one !== undefined && one.currencyCode !== '')?.currencyCode;
}

/** Returns UOSS, IOSS, or that Amazon itself owes the tax; '' if the order does not say. */
function taxSchemeOf({ orderItems }: AmazonOrder): string {
  const schemes = orderItems.flatMap(({ tax }) => [
    ...(tax?.taxCalculationBreakdowns.map((one) => one.reportingScheme) ?? []),
    ...(tax?.taxCollections.map((one) => one.model) ?? []),
  ]);
  return schemes.find((one) => one !== '') ?? '';
}

const emptyPerson: Person = {
  name: '',
  company: '',
  lines: [],
  postalCode: '',
  city: '',
  region: '',
  country: '',
  email: '',
  phone: '',
};

/** What the buyer of a line wants packed as a gift; his message is personal data like the address. */
function giftOf({ product, orderItemId, fulfillment }: AmazonItem): string | undefined {
  const { giftMessage = '', giftWrapLevel = '' } = fulfillment?.packing?.giftOption ?? {};
  const wishes = [
    ...(giftWrapLevel.trim() === '' ? [] : [`Geschenkverpackung „${giftWrapLevel.trim()}“`]),
    ...(giftMessage.trim() === '' ? [] : [`Nachricht: „${giftMessage.trim()}“`]),
  ];
  return wishes.length === 0 ? undefined : `${product?.sellerSku || orderItemId}: ${wishes.join(', ')}`;
}

function personsOf({ buyer, recipient, orderItems }: AmazonOrder): Persons | undefined {
  // Two lines of an article may have the same wish.
  const gifts = [...new Set(orderItems.flatMap((item) => giftOf(item) ?? []))];
  const address = recipient?.deliveryAddress;
  const named = buyer !== undefined && buyer.buyerName + buyer.buyerEmail + buyer.buyerCompanyName !== '';
  const persons: Persons = {
    ...(named
      ? { buyer: { ...emptyPerson, name: buyer.buyerName, company: buyer.buyerCompanyName, email: buyer.buyerEmail } }
      : {}),
    ...(address === undefined
      ? {}
      : {
          delivery: {
            ...emptyPerson,
            name: address.name,
            company: address.companyName,
            lines: [address.addressLine1, address.addressLine2, address.addressLine3].filter((line) => line !== ''),
            postalCode: address.postalCode,
            city: address.city,
            region: address.stateOrRegion,
            country: address.countryCode,
            phone: address.phone,
            ...(gifts.length === 0 ? {} : { gifts }),
          },
        }),
  };
  return Object.keys(persons).length === 0 ? undefined : persons;
}
