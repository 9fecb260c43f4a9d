import { z } from 'zod';
import { list } from '#marketplaces/amazon/answers.ts';

/**
 * Schemas of orders (API 2026-01-01), as far as we read them. Tolerant like `answers.ts`: an order needs its number, its times
 * and its lines, a line needs its number; any other value that is missing or of the wrong type becomes undefined or empty.
 */

const text = z.string().catch('');
const count = z.number().int().nonnegative().optional().catch(undefined);
/** Only from a text: `null` or a number would become a date in 1970. A year far from the present is a placeholder. */
const time = z
  .string()
  .transform((found) => new Date(found))
  .refine((at) => at.getUTCFullYear() >= 2000 && at.getUTCFullYear() < 2100);
const moment = time.optional().catch(undefined);
/** An object with optional properties; undefined if it is missing or invalid. */
const parts = <T extends z.ZodRawShape>(shape: T) => z.object(shape).optional().catch(undefined);

const Money = parts({ amount: z.union([z.string(), z.number()]), currencyCode: text });
const Breakdowns = list(
  z.object({
    type: z.string(),
    subtotal: Money,
    detailedBreakdowns: list(z.object({ subtype: text, value: Money })),
  }),
);
const Window = parts({ earliestDateTime: moment, latestDateTime: moment });

const Item = z.object({
  orderItemId: z.string().min(1),
  quantityOrdered: z.number().int().nonnegative(),
  product: parts({ asin: text, title: text, sellerSku: text, price: parts({ unitPrice: Money }) }),
  proceeds: parts({ proceedsTotal: Money, breakdowns: Breakdowns }),
  cancellation: parts({
    cancellationRequest: parts({ requester: text, cancelReason: text }),
    cancellationExecution: parts({ cancelledBy: text }),
  }),
  fulfillment: parts({
    quantityFulfilled: count,
    quantityUnfulfilled: count,
    packing: parts({ giftOption: parts({ giftMessage: text, giftWrapLevel: text }) }),
  }),
  tax: parts({
    taxCalculationBreakdowns: list(z.object({ reportingScheme: text })),
    taxCollections: list(z.object({ model: text })),
  }),
});

const Package = z.object({
  packageReferenceId: z.string().min(1),
  createdTime: moment,
  shipTime: moment,
  carrier: text,
  trackingNumber: text,
  packageStatus: parts({ status: text, detailedStatus: text }),
  packageItems: list(z.object({ orderItemId: z.string(), quantity: z.number().int().positive() })),
});

const Address = parts({
  name: text,
  companyName: text,
  addressLine1: text,
  addressLine2: text,
  addressLine3: text,
  city: text,
  stateOrRegion: text,
  postalCode: text,
  countryCode: text,
  phone: text,
});

export const AmazonOrder = z.object({
  orderId: z.string().min(1),
  createdTime: time,
  lastUpdatedTime: time,
  programs: list(z.string()),
  associatedOrders: list(z.object({ orderId: text, associationType: text })),
  salesChannel: parts({ marketplaceId: text }),
  buyer: parts({ buyerName: text, buyerEmail: text, buyerCompanyName: text, buyerPurchaseOrderNumber: text }),
  recipient: parts({ deliveryAddress: Address }),
  proceeds: parts({ grandTotal: Money }),
  fulfillment: parts({
    fulfillmentStatus: text,
    fulfilledBy: text,
    shipByWindow: Window,
    deliverByWindow: Window,
  }),
  orderItems: z.array(Item).min(1),
  packages: list(Package).optional(),
});
export type AmazonOrder = z.infer<typeof AmazonOrder>;
export type AmazonItem = z.infer<typeof Item>;
export type AmazonMoney = z.infer<typeof Money>;
export type AmazonPackage = z.infer<typeof Package>;

export const OrderAnswer = z.object({ order: AmazonOrder });
export const OrderId = z.object({ orderId: z.string() });
/** Orders are read one by one: one that cannot be read must not hide the others. */
export const OrdersAnswer = z.object({
  orders: z.array(z.unknown()),
  pagination: parts({ nextToken: text }),
  lastUpdatedBefore: moment,
});

export const FeedDocumentAnswer = z.object({ feedDocumentId: z.string().min(1), url: z.url() });
export const CreatedFeedAnswer = z.object({ feedId: z.string().min(1) });
const Feed = z.object({
  feedId: z.string().min(1),
  createdTime: moment,
  processingStatus: text,
  resultFeedDocumentId: text,
});
export type AmazonFeed = z.infer<typeof Feed>;
export const FeedAnswer = Feed;
export const FeedsAnswer = z.object({ feeds: list(Feed), nextToken: text });

export const AvailabilityAnswer = z.object({
  fulfillmentAvailability: list(z.object({ fulfillmentChannelCode: z.string(), quantity: count })),
});
