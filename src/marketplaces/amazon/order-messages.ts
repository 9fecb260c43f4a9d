import type { OrderLine, OrderNews } from '#marketplaces/port.ts';
import { list, moment, number, path, text } from './message-tree.ts';

/**
 * Reads ORDER_CHANGE, a notification with an order's present state. Undefined: another kind, or without what the sales alarm
 * needs.
 */
export function readOrderChange(message: unknown): OrderNews | undefined {
  const change = path(message, 'Payload', 'OrderChangeNotification') ?? path(message, 'OrderChangeNotification');
  const summary = path(change, 'Summary');
  const [sellerId, order] = [text(path(change, 'SellerId')), text(path(change, 'AmazonOrderId'))];
  const marketplace = text(path(summary, 'MarketplaceId'));
  const changedAt = moment(
    path(change, 'OrderChangeTrigger', 'TimeOfOrderChange'),
    path(message, 'EventTime'),
    path(message, 'NotificationMetadata', 'PublishTime'),
  );
  if (sellerId === undefined || order === undefined || marketplace === undefined || changedAt === undefined)
    return undefined;
  const cancelled = /^cancell?ed$/i.test(text(path(summary, 'OrderStatus')) ?? '');
  // The time of the purchase may be missing. For a cancelled order the time of the change will do.
  const purchasedAt = moment(path(summary, 'PurchaseDate')) ?? (cancelled ? changedAt : undefined);
  const lines = list(path(summary, 'OrderItems')).flatMap((item) => lineOf(item, cancelled));
  if (purchasedAt === undefined || lines.length === 0) return undefined;
  // An order cannot change before it was placed.
  return {
    sellerId,
    marketplace,
    order,
    purchasedAt,
    changedAt: changedAt > purchasedAt ? changedAt : purchasedAt,
    lines,
  };
}

function lineOf(item: unknown, cancelled: boolean): OrderLine[] {
  const [line, sku] = [text(path(item, 'OrderItemId')), text(path(item, 'SellerSKU'))];
  if (line === undefined || sku === undefined) return [];
  // An order line without a quantity is one piece.
  const quantity = number(path(item, 'Quantity')) ?? 1;
  return [{ line, sku, quantity: cancelled ? 0 : Math.max(0, Math.trunc(quantity)) }];
}
