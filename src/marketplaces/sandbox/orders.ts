import type { Order } from './buyers.ts';
import { otherCase, type Place } from './offers.ts';

/** An ORDER_CHANGE message about an order as it stands at a moment. */
export function orderMessage(
  { id: order, line, sku, quantity, at: bought, cancelledAt }: Order,
  { marketplace, sellerId }: Place,
  { id, at }: { id: string; at: number },
  camel: boolean,
): unknown {
  const time = new Date(at).toISOString();
  const cancelled = cancelledAt !== null && at >= cancelledAt;
  const message = {
    NotificationVersion: '1.0',
    NotificationType: 'ORDER_CHANGE',
    PayloadVersion: '1.0',
    EventTime: time,
    Payload: {
      OrderChangeNotification: {
        NotificationLevel: 'OrderLevel',
        SellerId: sellerId,
        AmazonOrderId: order,
        OrderChangeType: 'OrderStatusChange',
        OrderChangeTrigger: { TimeOfOrderChange: time, ChangeReason: cancelled ? 'Buyer Canceled' : 'Order Placed' },
        Summary: {
          MarketplaceId: marketplace,
          OrderStatus: cancelled ? 'Canceled' : 'Unshipped',
          PurchaseDate: new Date(bought).toISOString(),
          DestinationPostalCode: '10115',
          FulfillmentType: 'MFN',
          OrderType: 'StandardOrder',
          NumberOfItemsShipped: 0,
          NumberOfItemsUnshipped: cancelled ? 0 : quantity,
          OrderItems: [
            { OrderItemId: line, SellerSKU: sku, SupplySourceId: null, Quantity: quantity, QuantityShipped: 0 },
          ],
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
