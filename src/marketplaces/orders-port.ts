import type { Fulfilment, Issue } from './port.ts';

/** What a marketplace tells and takes of orders and stock. A connector without it only prices. */
export type OrderPort = {
  readonly support: OrderSupport;
  /**
   * Orders that changed since a moment of the marketplace's own clock, oldest change first, a page at a time. An order may come on
   * two pages. @throws MarketplaceError
   */
  changes(since: Date, cursor?: string, signal?: AbortSignal): Promise<OrderPage>;
  /** One order as it stands now; undefined: the marketplace does not know it. @throws MarketplaceError */
  order(order: string, signal?: AbortSignal): Promise<ChannelOrder | undefined>;
  /** Does one thing to an order. `idemKey` is the same for every try of one action. @throws MarketplaceError */
  act(action: OrderAction, signal?: AbortSignal): Promise<ActionAnswer>;
  /**
   * What the marketplace shows of an action that was sent at `sent.at` and whose end is not known: `reference` is what its answer
   * named, if one came. Changes nothing there. @throws MarketplaceError
   */
  readBack(action: OrderAction, sent: { at: Date; reference: string }, signal?: AbortSignal): Promise<Evidence>;
  /** Several actions in one call, where the marketplace has few calls for them. Absent: they go one by one. */
  readonly bundle?: {
    /** Actions of the same key may go together; undefined: this one goes alone. */
    keyOf(action: OrderAction): string | undefined;
    /** One answer an action, in their order. An exception concerns all of them. @throws MarketplaceError */
    act(actions: readonly OrderAction[], signal?: AbortSignal): Promise<ActionAnswer[]>;
  };
  /** Sets what is for sale, an absolute number a sku; one answer an update, in their order. Absent: it takes no stock. */
  setStock?(updates: readonly StockUpdate[], signal?: AbortSignal): Promise<StockAnswer[]>;
  /** What the marketplace shows as for sale; null: it does not know the sku. */
  readStock?(skus: readonly string[], signal?: AbortSignal): Promise<ObservedStock[]>;
  /** Many numbers in one submission, for what is too much to go by itself. Absent: there is no such thing. */
  readonly stockFeed?: StockFeed;
};

/** A submission of many numbers that is worked on later. Two at once could come in the wrong order, so there is one at a time. */
export type StockFeed = {
  /** Up to so many due numbers go by themselves, which is as fast and can be looked at right before; so many fit into one submission. */
  readonly above: number;
  readonly most: number;
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** Gives what finds it again. @throws MarketplaceError */
  submit(updates: readonly StockUpdate[], signal?: AbortSignal): Promise<string>;
  /** What became of what was sent at `sent.at`; `reference` '': its answer was lost. Changes nothing there. @throws MarketplaceError */
  read(
    updates: readonly StockUpdate[],
    sent: { at: Date; reference: string },
    signal?: AbortSignal,
  ): Promise<StockFeedEnd>;
};
/** done: one answer an update, in their order; absent: it never came; unclear: it is over, and nobody says what became of it. */
export type StockFeedEnd =
  | { state: 'done'; answers: readonly StockAnswer[] }
  | { state: 'pending' | 'absent' | 'unclear' };

export const actionKinds = ['ship', 'cancel', 'return', 'refund'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** What may be done with orders there, and what a second try may break. A kind that is absent cannot be done. */
export type OrderSupport = {
  readonly actions: Readonly<Partial<Record<ActionKind, ActionSupport>>>;
  /** The smallest thing that may be cancelled by itself. */
  readonly cancelScope: 'order' | 'line' | 'quantity';
  /** Whether part of a line's quantity may be shipped. */
  readonly partialShip: boolean;
  readonly returnTracking: 'required' | 'ignored';
  /** Our carriers that the marketplace knows by a code of its own; others are sent by name where `otherCarriers` says so. */
  readonly carriers: readonly string[];
  readonly otherCarriers: boolean;
  /** Calls a second and burst: orders read, actions, stock. */
  readonly rates: Readonly<Record<'changes' | 'order' | 'act' | 'stock', { perSecond: number; burst: number }>>;
  /** How many stock updates one call of `setStock` takes. */
  readonly stockBatch: number;
};
export type ActionSupport = {
  /** Codes of the wire that the marketplace understands as a reason; empty: it asks for none. */
  readonly reasons: readonly string[];
  /** What can be read back: that it happened and how, only a state, nothing. */
  readonly readBack: 'full' | 'state' | 'none';
  /** When an unanswered action may be sent once more: always, once it was seen that it is not there, never. */
  readonly repeat: 'safe' | 'after_reading' | 'never';
  /** Whether the answer comes later ('submitted'), by `readBack`. */
  readonly asynchronous: boolean;
  /** Calls a second and burst where they differ from the rates of `act`. */
  readonly rate?: { readonly perSecond: number; readonly burst: number };
};

export type OrderPage = {
  orders: readonly ChannelOrder[];
  next?: string | undefined;
  asOf: Date;
  /** Orders that came but could not be read, by their number where it could ('' where not). Absent: none. */
  unreadable?: readonly string[] | undefined;
};

/** An order in our words, as its marketplace shows it at one moment. Amounts are integer cents with tax unless they say otherwise. */
export type ChannelOrder = {
  order: string;
  placedAt: Date;
  /** The marketplace's own moment of the last change; an older one never overwrites a newer. */
  changedAt: Date;
  rawState: string;
  /** Bought, but not to be shipped yet: it reserves stock and may have neither price nor address. */
  pending: boolean;
  /** Undefined: whoever hands it in knows nothing of it, here and in its lines; what is known stays. */
  hold: 'none' | 'fraud' | 'cancel_requested' | undefined;
  fulfilledBy: Fulfilment;
  /** Whether the marketplace takes a shipment from us for it. */
  confirmable: boolean;
  shipBy?: Date | undefined;
  deliverBy?: Date | undefined;
  deliveredAt?: Date | undefined;
  currency: string;
  /** Two letters; '' while unknown. */
  country: string;
  taxScheme: string;
  programs: readonly string[];
  /** The number that a business buyer gave it; '' without one. */
  buyerOrderNumber: string;
  /** The order that this one replaces; ''. */
  replaces: string;
  /** Whether all lines are here; otherwise one that is missing is unchanged. */
  complete: boolean;
  lines: readonly ChannelLine[];
  /** Parcels that the marketplace shows; undefined: it does not say. */
  shipments?: readonly ChannelShipment[] | undefined;
  /** Only for the sealed table: never logged, never in an event. */
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
  /** A piece with tax, before discount; null while the marketplace does not say. */
  unitCents: number | null;
  /** The whole line's. */
  discountCents: number;
  shippingCents: number;
  /** In hundredths of a percent (19 % = 1900); null: unknown. */
  taxRate: number | null;
  cancelRequest?: { by: 'buyer' | 'channel'; reason: string } | undefined;
};

export type ChannelShipment = {
  /** The number by which the marketplace knows the parcel. */
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
  /** Street and what else stands above the town. */
  lines: readonly string[];
  postalCode: string;
  city: string;
  region: string;
  country: string;
  email: string;
  phone: string;
};

type ActionOn = { order: string; idemKey: string; orderedAt: Date };
export type ShipAction = ActionOn & {
  kind: 'ship';
  /** Number of the parcel within its order, from 1; the same one again edits it where the marketplace can. */
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
  /** What the pieces cost, for a marketplace that takes a part back as a refund. */
  cents: number;
  currency: string;
};
export type ReturnAction = ActionOn & {
  kind: 'return';
  line: string;
  quantity: number;
  reason: string;
  /** What is to go back for the pieces; 0: all of it went back before. */
  cents: number;
  currency: string;
};
export type RefundAction = ActionOn & { kind: 'refund'; line: string; reason: string; cents: number; currency: string };
export type OrderAction = ShipAction | CancelAction | ReturnAction | RefundAction;

/** submitted: taken, its end comes by `readBack`. `reference` finds it again. */
export type ActionAnswer = { state: 'done' | 'submitted' | 'refused'; reference: string; issues: readonly Issue[] };

/**
 * done: it is there; absent: it is surely not there; pending: it is being worked; refused: the marketplace did not do it;
 * unclear: nothing there says it either way.
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
