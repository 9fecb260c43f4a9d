import type { Rate } from '#platform/token-buckets.ts';
import type { OrderPort } from './orders-port.ts';

/**
 * What every marketplace can be asked, whatever its own words. A connector is made for one account; it normalises failures
 * (MarketplaceError) and never retries by itself: who asks knows what a second try may break.
 */
export type Connector = {
  capabilities(): Capabilities;
  /** @throws MarketplaceError with what is wrong: the credentials, the address, the marketplace itself. */
  testConnection(): Promise<void>;
  /** One answer an update, in their order. An exception concerns all of them. `idemKey` is the same for every try of one change. */
  updatePrices(updates: readonly PriceUpdate[], signal?: AbortSignal): Promise<PriceAnswer[]>;
  /** Whether the marketplace would take a price; changes nothing there. Absent: it cannot be asked. A failure did no harm. */
  previewPrice?(update: PriceUpdate, signal?: AbortSignal): Promise<PriceAnswer>;
  /** What the marketplace itself shows as our price now; `cents` null: no offer of ours there. */
  readPrices(skus: readonly string[], signal?: AbortSignal): Promise<ShownPrice[]>;
  /** All offers of these articles of ours, as far as the marketplace tells; without one where it tells nothing. */
  offers(articles: readonly OwnArticle[], signal?: AbortSignal): Promise<OfferSnapshot[]>;
  /** Orders and stock. Absent: the connector only prices. */
  orders?: OrderPort;
  /** Messages that lie ready for us. Absent: the marketplace hands them over by a call, or has none. */
  messages?: Mailbox;
};

/** Where a marketplace puts its messages for us. They come again until they are forgotten, so nothing is lost with a process. */
export type Mailbox = {
  /** Some messages; waits up to `waitSeconds` for the first. @throws MarketplaceError */
  receive(waitSeconds: number, signal?: AbortSignal): Promise<Received[]>;
  acknowledge(receipts: readonly string[]): Promise<void>;
  /** Asks the marketplace to put its messages there; doing so twice is the same as once. @throws MarketplaceError */
  subscribe(): Promise<void>;
};
/** `message` undefined: it says nothing that we know. */
export type Received = { receipt: string; message: MarketplaceMessage | undefined };

/** A message as its marketplace writes it in our words; undefined: one about something else, or none at all. Never throws. */
export type ReadMessage = (raw: unknown) => MarketplaceMessage | undefined;

/** What a marketplace tells by itself, in our words. */
export type MarketplaceMessage =
  | { about: 'offers'; snapshot: OfferSnapshot }
  | { about: 'order'; order: OrderNews }
  | { about: 'action'; action: ActionNews };

export type Capabilities = {
  /** Calls a second and how many may come at once, for each operation. */
  rates: Readonly<Record<Operation, Rate>>;
  /** How many entries one call takes. */
  batch: Readonly<Record<Operation, number>>;
  competitorOffers: boolean;
};
export const operations = ['updatePrices', 'readPrices', 'offers'] as const;
export type Operation = (typeof operations)[number];

/** The bounds go along: marketplaces that know them refuse what lies outside, a second barrier that is not ours. */
export type PriceUpdate = {
  sku: string;
  cents: number;
  minCents: number;
  maxCents: number;
  currency: string;
  idemKey: string;
};
export type Issue = { code: string; message: string; field?: string | undefined };
/** ACCEPTED is not live: the marketplace has taken the price and shows it when it likes to. */
export type PriceAnswer = { sku: string; state: 'ACCEPTED' | 'INVALID'; reference: string; issues: readonly Issue[] };
export type ShownPrice = { sku: string; cents: number | null };

/** An article under our sku, and the product it is at the marketplace; answers about a sku need not name the product. */
export type OwnArticle = { sku: string; productId: string; condition: string };

/** Who sends an article to its buyer: the marketplace from its own store, or the merchant. */
export const fulfilments = ['marketplace', 'merchant'] as const;
export type Fulfilment = (typeof fulfilments)[number];

/** Somebody's offer of an article, ours included. Integer cents; `shipping_cents` null counts as 0, feedback null is unknown. */
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
  /** Identifies the message, so that one delivered twice counts once. */
  message: string;
  offers: readonly Offer[];
};

/** A line of an order: what was bought, how many. A quantity of 0: it was cancelled. */
export type OrderLine = { line: string; sku: string; quantity: number };

/** What a message says about an order: never who bought it, where it goes or what was paid. */
export type OrderNews = {
  sellerId: string;
  marketplace: string;
  order: string;
  purchasedAt: Date;
  /** When the order reached this state; messages about an earlier moment are out of date. */
  changedAt: Date;
  lines: readonly OrderLine[];
};

/** A marketplace has worked on an action that it took before: its end can be read back now. `sellerId` is '' where it does not say. */
export type ActionNews = { sellerId: string; reference: string };

/**
 * retryable: not done, try again (after `delayMs` if it says); unknown: nobody knows whether it was done, so look first;
 * permanent: will never work as asked (`field` says what); auth: the credentials; conflict: the state there is another one.
 */
export type FailureKind = 'retryable' | 'unknown' | 'permanent' | 'auth' | 'conflict';

export class MarketplaceError extends Error {
  readonly kind: FailureKind;
  readonly delayMs: number | undefined;
  readonly field: string | undefined;
  /** What the marketplace itself calls it; undefined: it said nothing. */
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
