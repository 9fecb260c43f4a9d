import { createHash } from 'node:crypto';
import type { CancelAction, RefundAction, ReturnAction } from '#marketplaces/orders-port.ts';
import { xmlDocument, type XmlElement } from './xml.ts';

export type FeedAction = CancelAction | ReturnAction | RefundAction;
/** What of Amazon's feeds an action is done by. */
export const feedTypes = ['POST_ORDER_ACKNOWLEDGEMENT_DATA', 'POST_PAYMENT_ADJUSTMENT_DATA'] as const;
export type FeedType = (typeof feedTypes)[number];

/** Our reasons for cancelling in the words of both feeds. */
const cancelReasons = {
  BuyerCanceled: { acknowledgement: 'BuyerCanceled', adjustment: 'CustomerCancel' },
  NoInventory: { acknowledgement: 'NoInventory', adjustment: 'NoInventory' },
} as const;
export const CANCEL_REASONS: readonly string[] = Object.keys(cancelReasons);
export const RETURN_REASONS = ['no Reason'] as const;
/** Amazon's own words: nobody else has any for these. */
export const REFUND_REASONS = ['GeneralAdjustment', 'CustomerReturn', 'DifferentItem', 'Undeliverable'] as const;

const cancelReasonOf = (reason: string) =>
  reason === 'NoInventory' ? cancelReasons.NoInventory : cancelReasons.BuyerCanceled;

/** A whole line is cancelled as an order that is not accepted; a part of it only as money that goes back. */
export const feedTypeOf = (action: FeedAction): FeedType =>
  action.kind === 'cancel' && action.quantity >= action.ordered
    ? 'POST_ORDER_ACKNOWLEDGEMENT_DATA'
    : 'POST_PAYMENT_ADJUSTMENT_DATA';

/**
 * The number of an action's message within a feed. It comes from the action's key, so that a report about a feed tells which of our
 * actions it speaks of, also where the answer that named the feed was lost.
 */
export function messageId(idemKey: string): string {
  const digest = createHash('sha256').update(idemKey).digest();
  return String((digest.readBigUInt64BE() % 1_000_000_000_000_000n) + 1n);
}

/** The document of a feed with these actions, which all belong into one of its type. */
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

/** Amounts are those of all pieces together; our key goes along, and comes back in Amazon's settlements. */
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

/** Cents as Amazon's feeds write them: 1390 is 13.90. */
const amountText = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
