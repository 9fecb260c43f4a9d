import type { Clock } from '#platform/clock.ts';
import type { Connector, ReadMessage } from '#marketplaces/port.ts';

/** Our articles in every market under test; the marketplace itself accepts no price outside these bounds. */
export const goods = Array.from({ length: 30 }, (_, n) => ({
  // A sku may hold any characters that a merchant types.
  sku: n === 0 ? 'S/0 ä' : `S${n}`,
  productId: `B${n}`,
  cents: 1500,
  minCents: 1000,
  maxCents: 2000,
}));
/** Our seller id there. */
export const SELLER = 'WIR';

/**
 * A fault of a marketplace, which affects every call until it is reset: it disconnects before or after doing what was requested,
 * answers with an error page after doing it, is out of order, is overloaded, or reports too many calls.
 */
export type Fault = 'cutBefore' | 'cutAfter' | 'page' | 'outOfOrder' | 'overloaded' | 'throttle';

/** Controls the buyers of a marketplace under test. */
export type OrderStage = {
  /** Places an order, paid unless `pending`. */
  buy: (
    lines: readonly { sku: string; quantity: number; id?: string }[],
    more?: { pending?: boolean; byMarketplace?: boolean },
  ) => { order: string; lines: readonly string[] };
  /** Pays a pending order; some time passes. */
  pay: (order: string) => void;
  /** Processes everything that was submitted. */
  work: () => Promise<void>;
  /** Makes the call fail that carries out the action itself, not those that prepare it. */
  duringAction: (fault: 'cutBefore' | 'cutAfter', act: () => Promise<void>) => Promise<void>;
  /** The true state of an order's lines. */
  truth: (order: string) => readonly { shipped: number; cancelled: number }[];
  /** Number of actions that were done, or requested, a second time. */
  doubles: () => number;
  /** Names, streets and email addresses of an order's persons. */
  persons: (order: string) => readonly string[];
  /** Number of requests that contained any of them. */
  personsSent: () => number;
};

/** A marketplace of its own for a test, and connectors to it. Its clock moves only by `pass`. */
export type Market = {
  marketplace: string;
  currency: string;
  connector: Connector;
  /** The same account with secrets that are refused. */
  wrong: Connector;
  readMessage: ReadMessage;
  /** All secrets of both accounts. */
  secrets: readonly string[];
  clock: Clock;
  pass: (seconds: number) => void;
  /** Makes every accepted price go live. */
  settle: () => Promise<void>;
  /** Makes competitors change their offers of some of our articles. */
  move: () => Promise<void>;
  /** Sets the fault of all later calls; undefined: none. */
  setFault: (fault: Fault | undefined) => void;
  /** Number of price changes that the marketplace accepted. */
  received: () => number;
  /** Absent: the connector sets prices only. */
  orders?: OrderStage;
  close: () => Promise<void>;
};

/** Opens a connector for the contract's tests, with a marketplace of its own that sells `goods`. */
export type OpenMarket = (start?: Date) => Promise<Market>;
