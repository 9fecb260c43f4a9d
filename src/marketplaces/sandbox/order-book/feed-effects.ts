import { centsOfAmount } from '#marketplaces/amounts.ts';
import type { Counters } from '#marketplaces/sandbox/counters.ts';
import type { Place } from '#marketplaces/sandbox/offers.ts';
import type { OrderBook } from './book.ts';
import { elements, textAt, type FeedElement } from './feed-tree.ts';
import { openPieces, shippedPieces, stateOf, type SandboxLine, type SandboxOrder } from './order.ts';

type EffectContext = { book: OrderBook; counters: Counters; place: Place; now: () => number };
/** The reason why a message is refused; undefined: it was carried out. */
type Refusal = { order: string; text: string } | undefined;

const cancelReasons = new Set([
  'NoInventory',
  'ShippingAddressUndeliverable',
  'CustomerExchange',
  'BuyerCanceled',
  'GeneralAdjustment',
  'CarrierCreditDecision',
  'RiskAssessmentInformationNotValid',
  'CarrierCoverageFailure',
  'CustomerReturn',
  'MerchandiseNotReceived',
]);
const adjustmentReasons = new Set([
  'NoInventory',
  'CustomerReturn',
  'GeneralAdjustment',
  'CouldNotShip',
  'DifferentItem',
  'Abandoned',
  'CustomerCancel',
  'PriceError',
  'ProductOutofStock',
  'CustomerAddressIncorrect',
  'Exchange',
  'Other',
  'CarrierCreditDecision',
  'RiskAssessmentInformationNotValid',
  'CarrierCoverageFailure',
  'TransactionRecord',
  'Undeliverable',
  'RefusedDelivery',
]);

/** Carries out one message of a feed. */
export function applyMessage(behind: EffectContext, message: FeedElement): Refusal {
  const [cancellation] = elements(message, 'OrderAcknowledgement');
  const [adjustment] = elements(message, 'OrderAdjustment');
  const body = cancellation ?? adjustment;
  const id = textAt(body, 'AmazonOrderID');
  const order = behind.book.orders.get(id);
  const refused = (text: string): Refusal => ({ order: id, text });
  if (order === undefined) return refused('Your order cannot be found. Enter the correct order ID and resubmit.');
  const items = elements(body, cancellation === undefined ? 'AdjustedItem' : 'Item');
  if (items.length === 0) return refused('The data you submitted is incomplete or invalid.');
  for (const item of items) {
    const line = order.lines.find((one) => one.id === textAt(item, 'AmazonOrderItemCode'));
    if (line === undefined) return refused('The order item code is not part of this order.');
    const text =
      cancellation === undefined ? adjust(behind, order, line, item) : cancel(behind, order, line, body, item);
    if (text !== undefined) return refused(text);
  }
  return undefined;
}

function cancel(
  { book, counters, now }: EffectContext,
  order: SandboxOrder,
  line: SandboxLine,
  body: FeedElement | undefined,
  item: FeedElement,
): string | undefined {
  if (textAt(body, 'StatusCode') !== 'Failure') return 'StatusCode Success cancels nothing.';
  if (!cancelReasons.has(textAt(item, 'CancelReason'))) return 'The cancel reason is invalid.';
  if (order.byAmazon) return 'The order is fulfilled by Amazon.';
  if (line.cancelled > 0) {
    // Cancelling what the buyer cancelled first is merely late: the merchant could not know.
    if (line.cancelledBy === 'MERCHANT') counters.cancelledTwice += line.cancelled;
    return 'The item was cancelled before.';
  }
  if (shippedPieces(order, line.id) > 0) return 'The item was shipped and cannot be cancelled.';
  if (stateOf(order, now()) === 'PENDING') return 'The order is pending.';
  book.cancelAsMerchant(order, line, line.ordered);
  return undefined;
}

function adjust(
  { book, counters, place }: EffectContext,
  order: SandboxOrder,
  line: SandboxLine,
  item: FeedElement,
): string | undefined {
  const reason = textAt(item, 'AdjustmentReason');
  if (!adjustmentReasons.has(reason)) return 'The adjustment reason is invalid.';
  const amounts = elements(item, 'ItemPriceAdjustments', 'Component', 'Amount');
  const cents = amounts.reduce((sum, { text }) => sum + (centsOfAmount(text) ?? Number.NaN), 0);
  if (!(cents > 0)) return 'The amount is invalid.';
  if (amounts.some(({ attributes }) => attributes['currency'] !== place.currency)) return 'The currency is invalid.';
  const cancelled = Number(textAt(item, 'QuantityCancelled') || '0');
  const number = textAt(item, 'MerchantAdjustmentItemID');
  const isRepeated = number !== '' && order.adjustments.has(number);
  // Amazon would do it again while money is left. Here it is counted, because the program must never request it.
  if (isRepeated && cancelled > 0) counters.cancelledTwice += cancelled;
  if (isRepeated) counters.refundedTwice++;
  if (line.refundedCents + cents > line.cents * line.ordered + line.shippingCents)
    return 'The refund exceeds what was paid.';
  if (cancelled > 0 && cancelled > openPieces(order, line)) return 'There are not so many items left to cancel.';
  if (cancelled === 0 && shippedPieces(order, line.id) === 0) return 'The item was not shipped yet.';
  order.adjustments.add(number);
  line.refundedCents += cents;
  counters.refunds++;
  if (cancelled > 0) book.cancelAsMerchant(order, line, cancelled);
  else book.touched(order);
  return undefined;
}
