import type { OrderChange } from './order-book/book.ts';
import { openPieces, shippedPieces, stateOf, type SandboxLine, type SandboxOrder } from './order-book/order.ts';
import { otherCase, type Place } from './offers.ts';

/** Messages spell states differently from the API's answers. */
const states = {
  PENDING: 'Pending',
  UNSHIPPED: 'Unshipped',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
  SHIPPED: 'Shipped',
  CANCELLED: 'Canceled',
} as const;
const reasons: Readonly<Record<OrderChange, string>> = {
  placed: 'Order Placed',
  paid: 'Payment Authorized',
  shipped: 'Order Shipped',
  cancelled: 'Buyer Canceled',
  asked: 'Buyer Requested Cancel',
  delivered: 'Order Delivered',
  touched: 'Order Updated',
};

/** Returns an ORDER_CHANGE message about an order's state at a moment. */
export function orderMessage(
  order: SandboxOrder,
  { marketplace, sellerId }: Place,
  { id, at, change }: { id: string; at: number; change: OrderChange },
  camel: boolean,
): unknown {
  const time = new Date(at).toISOString();
  const sum = (of: (line: SandboxLine) => number) => order.lines.reduce((total, line) => total + of(line), 0);
  const isRequest = change === 'asked';
  const message = {
    NotificationVersion: '1.0',
    NotificationType: 'ORDER_CHANGE',
    PayloadVersion: '1.0',
    EventTime: time,
    Payload: {
      OrderChangeNotification: {
        NotificationLevel: 'OrderLevel',
        SellerId: sellerId,
        AmazonOrderId: order.id,
        OrderChangeType: isRequest ? 'BuyerRequestedChange' : 'OrderStatusChange',
        OrderChangeTrigger: { TimeOfOrderChange: time, ChangeReason: reasons[change] },
        Summary: {
          MarketplaceId: marketplace,
          OrderStatus: states[stateOf(order, at)],
          PurchaseDate: new Date(order.at).toISOString(),
          DestinationPostalCode: order.person.postalCode,
          FulfillmentType: order.byAmazon ? 'AFN' : 'MFN',
          OrderType: 'StandardOrder',
          NumberOfItemsShipped: sum((line) => shippedPieces(order, line.id)),
          NumberOfItemsUnshipped: sum((line) => openPieces(order, line)),
          ...(isRequest ? { CancelNotifyDate: time } : {}),
          OrderItems: order.lines.map((line) => itemOf(order, line)),
        },
      },
    },
    NotificationMetadata: {
      ApplicationId: 'sandbox',
      SubscriptionId: 'sandbox',
      PublishTime: time,
      NotificationId: id,
    },
  };
  return camel ? otherCase(message) : message;
}

function itemOf(order: SandboxOrder, line: SandboxLine) {
  const shipped = shippedPieces(order, line.id);
  return {
    OrderItemId: line.id,
    SellerSKU: line.sku,
    SupplySourceId: null,
    OrderItemStatus: openPieces(order, line) === 0 && shipped > 0 ? 'Shipped' : 'Unshipped',
    Quantity: line.ordered - line.cancelled,
    QuantityShipped: shipped,
    ...(line.request === null ? {} : { IsBuyerRequestedCancel: true }),
  };
}
