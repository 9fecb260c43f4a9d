import type { Rate } from '#platform/token-buckets.ts';
import type { OrderPort } from './orders-port.ts';

/**
 * What every marketplace offers, in our terms. A connector belongs to one account. It normalises failures (MarketplaceError) and
 * never retries: only its caller knows what a retry may break.
 */
export type Connector = {
  capabilities(): Capabilities;
  /** @throws MarketplaceError naming what is wrong: the credentials, the address, or the marketplace itself. */
  testConnection(): Promise<void>;
  /**
   * Returns one answer per update, in their order. An exception applies to all of them. `idemKey` is the same for every try of
   * one change.
   */
  updatePrices(updates: readonly PriceUpdate[], signal?: AbortSignal): Promise<PriceAnswer[]>;
  /** Returns whether the marketplace would accept a price; changes nothing there, even if it fails. Absent: no such call. */
  previewPrice?(update: PriceUpdate, signal?: AbortSignal): Promise<PriceAnswer>;
  /** Returns our price as the marketplace shows it now; `cents` null: we have no offer there. */
  readPrices(skus: readonly string[], signal?: AbortSignal): Promise<ShownPrice[]>;
  /** Returns all offers of these articles that the marketplace shows; an article that it says nothing about is left out. */
  offers(articles: readonly OwnArticle[], signal?: AbortSignal): Promise<OfferSnapshot[]>;
  /** Absent: the connector only sets prices. */
  orders?: OrderPort;
  /** Messages waiting for us. Absent: the marketplace pushes its messages to Kontor, or has none. */
  messages?: Mailbox;
};

/** A queue of a marketplace's messages to us. They are delivered again until acknowledged, so a crash loses none. */
export type Mailbox = {
  /** Returns some messages; waits up to `waitSeconds` for the first. @throws MarketplaceError */
  receive(waitSeconds: number, signal?: AbortSignal): Promise<Received[]>;
  acknowledge(receipts: readonly string[]): Promise<void>;
  /** Makes the marketplace send its messages to this queue; may be repeated. @throws MarketplaceError */
  subscribe(): Promise<void>;
};
/** `message` undefined: none of a known kind. */
export type Received = { receipt: string; message: MarketplaceMessage | undefined };

/** Parses a message of a marketplace into our terms; undefined: it is of another kind, or no message at all. Never throws. */
export type ReadMessage = (raw: unknown) => MarketplaceMessage | undefined;

/** A message that a marketplace sends on its own, in our terms. */
export type MarketplaceMessage =
  | { about: 'offers'; snapshot: OfferSnapshot }
  | { about: 'order'; order: OrderNews }
  | { about: 'action'; action: ActionNews };

export type Capabilities = {
  /** Calls per second and burst, for each operation. */
  rates: Readonly<Record<Operation, Rate>>;
  /** Most entries per call, for each operation. */
  batch: Readonly<Record<Operation, number>>;
  competitorOffers: boolean;
};
export const operations = ['updatePrices', 'readPrices', 'offers'] as const;
export type Operation = (typeof operations)[number];

/** The bounds are included: marketplaces that support them refuse a price outside, a second barrier independent of ours. */
export type PriceUpdate = {
  sku: string;
  cents: number;
  minCents: number;
  maxCents: number;
  currency: string;
  idemKey: string;
};
export type Issue = { code: string; message: string; field?: string | undefined };
/** ACCEPTED is not live: the marketplace has taken the price and shows it some time later. */
export type PriceAnswer = { sku: string; state: 'ACCEPTED' | 'INVALID'; reference: string; issues: readonly Issue[] };
export type ShownPrice = { sku: string; cents: number | null };

/** An article of ours: its sku, and its product at the marketplace, because answers about a sku need not name the product. */
export type OwnArticle = { sku: string; productId: string; condition: string };

/** Who ships an article to its buyer: the marketplace from its own warehouse, or the merchant. */
export const fulfilments = ['marketplace', 'merchant'] as const;
export type Fulfilment = (typeof fulfilments)[number];

/** A seller's offer of an article, ours included. Integer cents; `shipping_cents` null counts as 0, feedback null is unknown. */
export type Offer = {
  seller_id: string;
  condition: string;
  fulfilment: Fulfilment;
  listing_price_cents: number;
  shipping_cents: number | null;
  currency: string;
  is_buybox: boolean;
  feedback_count: number | null;
  feedback_rating: number | null;
};

/** All offers of an article in one main condition at one moment. */
export type OfferSnapshot = {
  marketplace: string;
  productId: string;
  condition: string;
  eventAt: Date;
  /** Id of the message, so that one delivered twice counts once. */
  message: string;
  offers: readonly Offer[];
};

/** A line of an order: sku and quantity; a quantity of 0 means cancelled. */
export type OrderLine = { line: string; sku: string; quantity: number };

/** A message's content about an order: never the buyer, the address or what was paid. */
export type OrderNews = {
  sellerId: string;
  marketplace: string;
  order: string;
  purchasedAt: Date;
  /** When the order reached this state; a message about an earlier time is outdated. */
  changedAt: Date;
  lines: readonly OrderLine[];
};

/** A marketplace has processed a submitted action: its outcome can be read back now. `sellerId` is '' if it names none. */
export type ActionNews = { sellerId: string; reference: string };

/**
 * retryable: not done, try again (after `delayMs` if given); unknown: it may have been done, so read its state first; permanent:
 * it can never succeed as requested (`field` names the cause); auth: credentials; conflict: the state there is a different one.
 */
export type FailureKind = 'retryable' | 'unknown' | 'permanent' | 'auth' | 'conflict';

export class MarketplaceError extends Error {
  readonly kind: FailureKind;
  readonly delayMs: number | undefined;
  readonly field: string | undefined;
  /** The marketplace's own error code; undefined: it sent none. */
  readonly code: string | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    more: { delayMs?: number; field?: string; code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'MarketplaceError';
    this.kind = kind;
    this.delayMs = more.delayMs;
    this.field = more.field;
    this.code = more.code;
  }
}
