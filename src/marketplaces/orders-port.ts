import type { Fulfilment, Issue } from './port.ts';

/** A marketplace's orders and stock. A connector without this port only sets prices. */
export type OrderPort = {
  readonly support: OrderSupport;
  /**
   * Returns orders that changed since a time of the marketplace's own clock, oldest change first, one page at a time. An order
   * may appear on two pages. @throws MarketplaceError
   */
  changes(since: Date, cursor?: string, signal?: AbortSignal): Promise<OrderPage>;
  /** Returns one order in its present state; undefined: the marketplace does not know it. @throws MarketplaceError */
  order(order: string, signal?: AbortSignal): Promise<ChannelOrder | undefined>;
  /** Carries out one action on an order. `idemKey` is the same for every try of one action. @throws MarketplaceError */
  act(action: OrderAction, signal?: AbortSignal): Promise<ActionAnswer>;
  /**
   * Returns what the marketplace shows of an action that was sent at `sent.at` and whose outcome is unknown; `reference` is the
   * one that its answer named, '' if none came. Changes nothing there. @throws MarketplaceError
   */
  readBack(action: OrderAction, sent: { at: Date; reference: string }, signal?: AbortSignal): Promise<Evidence>;
  /** Sends several actions in one call, for a marketplace that allows few calls. Absent: each action is a call of its own. */
  readonly bundle?: {
    /** Actions with the same key may share a call; undefined: this action needs a call of its own. */
    keyOf(action: OrderAction): string | undefined;
    /** Returns one answer per action, in their order. An exception applies to all of them. @throws MarketplaceError */
    act(actions: readonly OrderAction[], signal?: AbortSignal): Promise<ActionAnswer[]>;
  };
  /**
   * Sets the available quantity of each sku, as an absolute number. Returns one answer per update, in their order. Absent: the
   * marketplace takes no stock.
   */
  setStock?(updates: readonly StockUpdate[], signal?: AbortSignal): Promise<StockAnswer[]>;
  /** Returns the available quantity that the marketplace shows; null: it does not know the sku. */
  readStock?(skus: readonly string[], signal?: AbortSignal): Promise<ObservedStock[]>;
  /** Sends many quantities in one submission, for more than single calls can carry. Absent: the marketplace has none. */
  readonly stockFeed?: StockFeed;
};

/**
 * A submission of many quantities that is processed later. Two at once could be processed in the wrong order, so only one is sent
 * at a time.
 */
export type StockFeed = {
  /**
   * `above`: up to this number of due quantities, single calls are as fast and can read the quantity just before sending. `most`:
   * the most that fit into one submission.
   */
  readonly above: number;
  readonly most: number;
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** Returns the reference of the submission. @throws MarketplaceError */
  submit(updates: readonly StockUpdate[], signal?: AbortSignal): Promise<string>;
  /**
   * Returns the state of the submission sent at `sent.at`; `reference` '': its answer was lost. Changes nothing there. @throws
   * MarketplaceError
   */
  read(
    updates: readonly StockUpdate[],
    sent: { at: Date; reference: string },
    signal?: AbortSignal,
  ): Promise<StockFeedEnd>;
};
/** done: one answer per update, in their order; absent: it never arrived; unclear: it has ended, and its outcome is unknown. */
export type StockFeedEnd =
  | { state: 'done'; answers: readonly StockAnswer[] }
  | { state: 'pending' | 'absent' | 'unclear' };

export const actionKinds = ['ship', 'cancel', 'return', 'refund'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** The actions that the marketplace supports, and what a retry may break. An absent kind is not supported. */
export type OrderSupport = {
  readonly actions: Readonly<Partial<Record<ActionKind, ActionSupport>>>;
  /** The smallest part of an order that can be cancelled on its own. */
  readonly cancelScope: 'order' | 'line' | 'quantity';
  /** Whether part of a line's quantity may be shipped. */
  readonly partialShip: boolean;
  readonly returnTracking: 'required' | 'ignored';
  /** Carriers for which the marketplace has a code; others are sent by name if `otherCarriers` allows it. */
  readonly carriers: readonly string[];
  readonly otherCarriers: boolean;
  /** Calls per second and burst, for reading orders, actions and stock. */
  readonly rates: Readonly<Record<'changes' | 'order' | 'act' | 'stock', { perSecond: number; burst: number }>>;
  /** Most stock updates per call of `setStock`. */
  readonly stockBatch: number;
};
export type ActionSupport = {
  /** Reason codes of our API that the marketplace understands; empty: it requires no reason. */
  readonly reasons: readonly string[];
  /** What can be read back: that and how it happened, only a state, or nothing. */
  readonly readBack: 'full' | 'state' | 'none';
  /** When an action without an answer may be sent again: always, only after reading that it is absent, or never. */
  readonly repeat: 'safe' | 'after_reading' | 'never';
  /** Whether the action is processed later: its answer is 'submitted', its outcome is read by `readBack`. */
  readonly asynchronous: boolean;
  /** Calls per second and burst, if they differ from the rates of `act`. */
  readonly rate?: { readonly perSecond: number; readonly burst: number };
};

export type OrderPage = {
  orders: readonly ChannelOrder[];
  next?: string | undefined;
  asOf: Date;
  /** Numbers of orders that arrived but could not be read; '' where the number was unreadable too. Absent: none. */
  unreadable?: readonly string[] | undefined;
};

/** An order as its marketplace shows it at one moment, in our terms. Amounts are integer cents with tax unless noted. */
export type ChannelOrder = {
  order: string;
  placedAt: Date;
  /** The marketplace's own time of the last change; an older state never overwrites a newer one. */
  changedAt: Date;
  rawState: string;
  /** Bought but not to be shipped yet: it reserves stock and may have neither price nor address. */
  pending: boolean;
  /** Undefined: the source of this order does not know it, here and in its lines; the stored value is kept. */
  hold: 'none' | 'fraud' | 'cancel_requested' | undefined;
  fulfilledBy: Fulfilment;
  /** Whether the marketplace accepts a shipment from us for it. */
  confirmable: boolean;
  shipBy?: Date | undefined;
  deliverBy?: Date | undefined;
  deliveredAt?: Date | undefined;
  currency: string;
  /** Two-letter country code; '' while unknown. */
  country: string;
  taxScheme: string;
  programs: readonly string[];
  /** The number that a business buyer gave the order; '' without one. */
  buyerOrderNumber: string;
  /** The order that this one replaces; '' if none. */
  replaces: string;
  /** Whether all lines are included; if not, a missing line is unchanged. */
  complete: boolean;
  lines: readonly ChannelLine[];
  /** Parcels that the marketplace shows; undefined: it does not show them. */
  shipments?: readonly ChannelShipment[] | undefined;
  /** Stored only in the encrypted table: never logged, never in an event. */
  persons?: Persons | undefined;
};

export type ChannelLine = {
  line: string;
  sku: string;
  title: string;
  productId: string;
  ordered: number;
  shipped: number;
  cancelled: number;
  /** Price of one piece with tax, before discount; null while the marketplace does not show it. */
  unitCents: number | null;
  /** Discount of the whole line. */
  discountCents: number;
  shippingCents: number;
  /** In hundredths of a percent (1900 is 19 %); null: unknown. */
  taxRate: number | null;
  cancelRequest?: { by: 'buyer' | 'channel'; reason: string } | undefined;
};

export type ChannelShipment = {
  /** The marketplace's number of the parcel. */
  reference: string;
  carrier: string;
  tracking: string;
  shippedAt: Date;
  state: 'shipped' | 'delivered' | 'undeliverable' | 'cancelled';
  lines: readonly { line: string; quantity: number }[];
};

export type Persons = { buyer?: Person; delivery?: Person; invoice?: Person };
export type Person = {
  name: string;
  company: string;
  /** Street and other lines of the address above the town. */
  lines: readonly string[];
  postalCode: string;
  city: string;
  region: string;
  country: string;
  email: string;
  phone: string;
  /** Wishes of the buyer for packing as a gift, and his message, as texts for people; absent: none. */
  gifts?: readonly string[] | undefined;
};

type ActionOn = { order: string; idemKey: string; orderedAt: Date };
export type ShipAction = ActionOn & {
  kind: 'ship';
  /** Number of the parcel within its order, from 1; sending it again edits the parcel where the marketplace allows that. */
  reference: string;
  shippedAt: Date;
  carrier: string;
  tracking: string;
  returnTracking: string;
  lines: readonly { line: string; quantity: number }[];
};
export type CancelAction = ActionOn & {
  kind: 'cancel';
  line: string;
  quantity: number;
  ordered: number;
  reason: string;
  /** Price of the pieces, for a marketplace that takes part of a line back as a refund. */
  cents: number;
  currency: string;
};
export type ReturnAction = ActionOn & {
  kind: 'return';
  line: string;
  quantity: number;
  reason: string;
  /** Amount to refund for the pieces; 0: all of it was refunded before. */
  cents: number;
  currency: string;
};
export type RefundAction = ActionOn & { kind: 'refund'; line: string; reason: string; cents: number; currency: string };
export type OrderAction = ShipAction | CancelAction | ReturnAction | RefundAction;

/** submitted: accepted, its outcome is read by `readBack`. `reference` identifies it there. */
export type ActionAnswer = { state: 'done' | 'submitted' | 'refused'; reference: string; issues: readonly Issue[] };

/**
 * done: it happened; absent: it certainly did not; pending: it is being processed; refused: the marketplace did not do it;
 * unclear: the marketplace shows neither.
 */
export type Evidence = {
  state: 'done' | 'absent' | 'pending' | 'refused' | 'unclear';
  reference: string;
  issues: readonly Issue[];
};

/** `quantity` is absolute. */
export type StockUpdate = { sku: string; quantity: number };
export type StockAnswer = { sku: string; state: 'ACCEPTED' | 'INVALID'; issues: readonly Issue[] };
export type ObservedStock = { sku: string; quantity: number | null };
