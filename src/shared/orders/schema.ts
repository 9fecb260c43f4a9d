import { z } from 'zod';
import { bareTracking } from './tracking-number.ts';

/** A number of pieces, and an amount in integer cents. */
export const pieces = z.number().int().min(1).max(100_000);
export const cents = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Ids of orders and lines are the channel's own opaque text. */
export const channelId = z.string().min(1).max(200);

/** Carriers of the shipping form (OIM-02). */
export const carriers = ['DHL', 'DPD', 'GLS'] as const;
/** Reasons of the cancel form and of the return form (OIM-03), in the wire's spelling. */
export const cancelReasons = { BuyerCanceled: 'Kundenstorno', NoInventory: 'Kein Bestand' } as const;
/** German texts of marketplaces' refund codes; other codes are shown unchanged. */
export const refundReasons: Readonly<Record<string, string>> = {
  GeneralAdjustment: 'Kulanz',
  CustomerReturn: 'Rücksendung',
  DifferentItem: 'Falscher Artikel',
  Undeliverable: 'Nicht zustellbar',
};
export const returnReasons = { 'no Reason': 'Keine Angabe' } as const;

export const orderStates = ['pending', 'open', 'part_shipped', 'shipped', 'cancelled', 'returned'] as const;
export type OrderState = (typeof orderStates)[number];

/** Saved filters of the order list; the name is in the URL. */
export const orderFilters = [
  'offen',
  'faellig',
  'stornowunsch',
  'klaerung',
  'vorgemerkt',
  'versandt',
  'storniert',
  'retourniert',
  'alle',
] as const;
export type OrderFilter = (typeof orderFilters)[number];

/** Whether a form can be used; if not, `reason` says why, for people. */
const offered = z.object({ possible: z.boolean(), reason: z.string() });

/**
 * A line as the list shows it and the forms post it back (OIM-01): `open` pieces may be shipped or cancelled, `returnable` ones
 * returned; `waiting` pieces are in actions that have not ended, `ship_waiting` those of them in parcels.
 */
export const OrderLine = z
  .object({
    productid: channelId,
    sku: z.string(),
    title: z.string(),
    masterid: z.string().nullable(),
    item: z.string().nullable(),
    ordered: z.number().int(),
    shipped: z.number().int(),
    cancelled: z.number().int(),
    returned: z.number().int(),
    open: z.number().int(),
    returnable: z.number().int(),
    waiting: z.number().int(),
    ship_waiting: z.number().int(),
    unit_cents: z.number().int().nullable(),
    discount_cents: z.number().int(),
    shipping_cents: z.number().int(),
    /** By refunds; what a marketplace paid for returns is at the actions. */
    refunded_cents: z.number().int(),
    tax_rate: z.number().int().nullable(),
    cancel_request: z.string(),
    sent: offered,
    cancel: offered,
    return: offered,
  })
  .meta({ id: 'OrderLine' });
export type OrderLine = z.infer<typeof OrderLine>;

export const OrderRow = z
  .object({
    orderid: channelId,
    channel: z.string(),
    channel_name: z.string(),
    marketplace: z.string(),
    state: z.enum(orderStates),
    hold: z.enum(['none', 'fraud', 'cancel_requested']),
    fulfilled_by: z.enum(['merchant', 'marketplace']),
    placed_at: z.string(),
    changed_at: z.string(),
    ship_by: z.string().nullable(),
    deliver_by: z.string().nullable(),
    shipped_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    currency: z.string(),
    country: z.string(),
    buyer_order_number: z.string(),
    open_pieces: z.number().int(),
    unclear: z.number().int(),
    /** Price of the pieces that are not cancelled, less discount; null while a price is missing. */
    total_cents: z.number().int().nullable(),
    lines: z.array(OrderLine),
    line_count: z.number().int(),
    /** Whether the open pieces of all lines can be shipped in one parcel. */
    parcel: offered,
  })
  .meta({ id: 'OrderRow' });
export type OrderRow = z.infer<typeof OrderRow>;

export const actionStates = [
  'new',
  'sending',
  'submitted',
  'unknown',
  'unclear',
  'done',
  'refused',
  'superseded',
] as const;
export type ActionState = (typeof actionStates)[number];
export const actionKinds = ['ship', 'cancel', 'return', 'refund'] as const;

/** One of our actions at the channel, and its state. `withdrawable`: it has not been sent and may be withdrawn. */
export const OrderAction = z
  .object({
    id: z.string(),
    kind: z.enum(actionKinds),
    state: z.enum(actionStates),
    withdrawable: z.boolean(),
    lines: z.array(z.object({ productid: channelId, quantity: z.number().int() })),
    carrier: z.string(),
    tracking: z.string(),
    returntracking: z.string(),
    reason: z.string(),
    cents: z.number().int().nullable(),
    message: z.string(),
    issues: z.array(z.object({ code: z.string(), message: z.string() })),
    sends: z.number().int(),
    created_by: z.string(),
    created_at: z.string(),
    sent_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    resolution: z.string(),
  })
  .meta({ id: 'OrderAction' });
export type OrderAction = z.infer<typeof OrderAction>;

export const OrderShipment = z.object({
  id: z.string(),
  reference: z.string(),
  carrier: z.string(),
  tracking: z.string(),
  returntracking: z.string(),
  shipped_at: z.string(),
  source: z.enum(['us', 'channel']),
  state: z.enum(['shipped', 'delivered', 'undeliverable', 'cancelled']),
  lines: z.array(z.object({ productid: channelId, quantity: z.number().int() })),
});
export const OrderEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  kind: z.string(),
  /** The event as a German text. */
  text: z.string(),
  source: z.enum(['message', 'poll', 'call', 'file', 'user', 'action']),
  author: z.string(),
});
export type OrderEvent = z.infer<typeof OrderEvent>;

export const OrderDetails = z
  .object({
    order: OrderRow,
    shipments: z.array(OrderShipment),
    cancellations: z.array(
      z.object({
        productid: channelId,
        quantity: z.number().int(),
        by: z.enum(['us', 'buyer', 'channel']),
        reason: z.string(),
        at: z.string(),
      }),
    ),
    returns: z.array(
      z.object({
        productid: channelId,
        quantity: z.number().int(),
        state: z.enum(['announced', 'arrived', 'accepted', 'rejected']),
        reason: z.string(),
        at: z.string(),
      }),
    ),
    refunds: z.array(
      z.object({
        productid: channelId,
        cents: z.number().int(),
        currency: z.string(),
        reason: z.string(),
        at: z.string(),
      }),
    ),
    actions: z.array(OrderAction),
    events: z.array(OrderEvent),
    /** For the forms: carriers that the channel accepts, and whether it requires a return tracking number. */
    carriers: z.array(z.string()),
    other_carriers: z.boolean(),
    return_tracking: z.enum(['required', 'ignored']),
    /** Its account or export was deleted: nothing done here is reported to the channel. */
    channel_gone: z.boolean(),
    refund: offered,
    /** Amount of each line that can still be refunded: paid, and neither refunded nor reserved by a waiting action. */
    refundable: z.array(z.object({ productid: channelId, cents: z.number().int() })),
    /** The channel's own codes; empty: free text. */
    refund_reasons: z.array(z.string()),
    /** Until when its personal data is kept; null: none is stored. */
    persons_until: z.string().nullable(),
  })
  .meta({ id: 'OrderDetails' });
export type OrderDetails = z.infer<typeof OrderDetails>;

/** Number of orders that need attention: for the header's chips and the filters. */
export const OrderCounters = z
  .object({
    open: z.number().int(),
    due: z.number().int(),
    overdue: z.number().int(),
    cancel_requests: z.number().int(),
    unclear: z.number().int(),
  })
  .meta({ id: 'OrderCounters' });
export type OrderCounters = z.infer<typeof OrderCounters>;

/** Members of the row's item that the order forms post in addition to their input (OIM). The ids must equal those of the URL. */
const ignored = z.unknown().optional();
const itemData = { orderid: ignored, productid: ignored, state: ignored, send: ignored, return: ignored };
export const trackingText = z
  .string({
    error: ({ input }) =>
      typeof input === 'number'
        ? 'Als Zahl ist diese Sendungsnummer zu lang und verliert Ziffern: bitte als Text übergeben.'
        : undefined,
  })
  .overwrite(bareTracking)
  .max(100);
export const tracking = trackingText.min(1, 'Bitte eine Sendungsnummer angeben.');
export const carrier = z.string().trim().min(1, 'Bitte einen Versanddienst wählen.').max(50);

/** Browsers' select elements send numbers as texts. */
const formPieces = z.preprocess(
  (value) => (typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value),
  pieces,
);
/** Data grids send a text of digits as a number; one that is too long has lost digits. */
const formTracking = (text: z.ZodString) =>
  z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : (value ?? '')), text);
export const ShipmentPayload = z
  .object({
    ...itemData,
    quantity: formPieces,
    carrier: z.preprocess((value) => value ?? '', carrier),
    tracking: formTracking(tracking),
    returntracking: formTracking(trackingText).default(''),
  })
  .meta({ id: 'ShipmentPayload' });
export type ShipmentPayload = z.infer<typeof ShipmentPayload>;
/** The URL contains all that is needed. */
export const ItemPayload = z
  .object({ ...itemData, quantity: ignored, carrier: ignored })
  .meta({ id: 'OrderItemPayload' });

/** `success` is a German text of what happened; `state`: the state of the action at the marketplace. */
export const ActionTaken = z
  .object({
    ok: z.literal(true),
    success: z.string(),
    action: z.string(),
    state: z.enum(actionStates),
  })
  .meta({ id: 'OrderActionTaken' });
export type ActionTaken = z.infer<typeof ActionTaken>;
