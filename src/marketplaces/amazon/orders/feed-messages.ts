import { createHash } from 'node:crypto';
import type { CancelAction, RefundAction, ReturnAction } from '#marketplaces/orders-port.ts';
import { xmlDocument, type XmlElement } from './xml.ts';

export type FeedAction = CancelAction | ReturnAction | RefundAction;
/** Amazon's feed types by which actions are done. */
export const feedTypes = ['POST_ORDER_ACKNOWLEDGEMENT_DATA', 'POST_PAYMENT_ADJUSTMENT_DATA'] as const;
export type FeedType = (typeof feedTypes)[number];

/** Our reasons for cancelling, in the terms of both feeds. */
const cancelReasons = {
  BuyerCanceled: { acknowledgement: 'BuyerCanceled', adjustment: 'CustomerCancel' },
  NoInventory: { acknowledgement: 'NoInventory', adjustment: 'NoInventory' },
} as const;
export const CANCEL_REASONS: readonly string[] = Object.keys(cancelReasons);
export const RETURN_REASONS = ['no Reason'] as const;
/** Amazon's own terms: no other marketplace has them. */
export const REFUND_REASONS = ['GeneralAdjustment', 'CustomerReturn', 'DifferentItem', 'Undeliverable'] as const;

const cancelReasonOf = (reason: string) =>
  reason === 'NoInventory' ? cancelReasons.NoInventory : cancelReasons.BuyerCanceled;

/** Cancelling a whole line is an order that we do not accept; cancelling part of it can only be done as a refund. */
export const feedTypeOf = (action: FeedAction): FeedType =>
  action.kind === 'cancel' && action.quantity >= action.ordered
    ? 'POST_ORDER_ACKNOWLEDGEMENT_DATA'
    : 'POST_PAYMENT_ADJUSTMENT_DATA';

/**
 * Returns the number of an action's message within a feed. It is derived from the action's key, so that a feed's report can be
 * matched to our actions even if the answer with the feed's id was lost.
 */
export function messageId(idemKey: string): string {
  const digest = createHash('sha256').update(idemKey).digest();
  return String((digest.readBigUInt64BE() % 1_000_000_000_000_000n) + 1n);
}

/** Returns the document of a feed with these actions, which must all be of this feed type. */
export function feedDocument(sellerId: string, type: FeedType, actions: readonly FeedAction[]): string {
  const isCancel = type === 'POST_ORDER_ACKNOWLEDGEMENT_DATA';
  return xmlDocument([
    'AmazonEnvelope',
    [
      [
        'Header',
        [
          ['DocumentVersion', '1.01'],
          ['MerchantIdentifier', sellerId],
        ],
      ],
      ['MessageType', isCancel ? 'OrderAcknowledgement' : 'OrderAdjustment'],
      ...actions.map((action): XmlElement => [
        'Message',
        [['MessageID', messageId(action.idemKey)], isCancel ? acknowledgement(action) : adjustment(action)],
      ]),
    ],
    {
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:noNamespaceSchemaLocation': 'amzn-envelope.xsd',
    },
  ]);
}

function acknowledgement({ order, line, reason }: FeedAction): XmlElement {
  return [
    'OrderAcknowledgement',
    [
      ['AmazonOrderID', order],
      ['StatusCode', 'Failure'],
      [
        'Item',
        [
          ['AmazonOrderItemCode', line],
          ['CancelReason', cancelReasonOf(reason).acknowledgement],
        ],
      ],
    ],
  ];
}

/** Returns one adjustment. Amounts are for all pieces together; our key is included, and Amazon repeats it in its settlements. */
function adjustment(action: FeedAction): XmlElement {
  const { order, line, cents, currency, idemKey } = action;
  const amount: XmlElement = ['Amount', amountText(cents), { currency }];
  return [
    'OrderAdjustment',
    [
      ['AmazonOrderID', order],
      [
        'AdjustedItem',
        [
          ['AmazonOrderItemCode', line],
          ['MerchantAdjustmentItemID', messageId(idemKey)],
          ['AdjustmentReason', adjustmentReason(action)],
          ['ItemPriceAdjustments', [['Component', [['Type', 'Principal'], amount]]]],
          ...(action.kind === 'cancel' ? [['QuantityCancelled', String(action.quantity)] as const] : []),
        ],
      ],
    ],
  ];
}

function adjustmentReason(action: FeedAction): string {
  if (action.kind === 'cancel') return cancelReasonOf(action.reason).adjustment;
  return action.kind === 'return' ? 'CustomerReturn' : action.reason;
}

/** Formats cents as Amazon's feeds do: 1390 is 13.90. */
const amountText = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
