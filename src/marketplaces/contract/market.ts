import type { Clock } from '#platform/clock.ts';
import type { Connector, ReadMessage } from '#marketplaces/port.ts';

/** What we sell in every market under test; the marketplace itself takes no price outside of these limits. */
export const goods = Array.from({ length: 30 }, (_, n) => ({
  // A sku may hold whatever a merchant writes.
  sku: n === 0 ? 'S/0 ä' : `S${n}`,
  productId: `B${n}`,
  cents: 1500,
  minCents: 1000,
  maxCents: 2000,
}));
/** Who we are there. */
export const SELLER = 'WIR';

/**
 * What goes wrong at a marketplace, with every call from then on: it hangs up before or after it did what was asked, answers with
 * an error page after it did it, is out of order, is overloaded, says that there were too many calls.
 */
export type Fault = 'cutBefore' | 'cutAfter' | 'page' | 'outOfOrder' | 'overloaded' | 'throttle';

/** The buyers of a marketplace under test, as far as tests direct them. */
export type OrderStage = {
  /** Somebody buys, and has paid unless it is said otherwise. */
  buy: (
    lines: readonly { sku: string; quantity: number; id?: string }[],
    more?: { pending?: boolean; byMarketplace?: boolean },
  ) => { order: string; lines: readonly string[] };
  /** A pending order is paid; some time passes. */
  pay: (order: string) => void;
  /** Everything that was submitted is worked on. */
  work: () => Promise<void>;
  /** Something goes wrong with the very call that does what an action asks for, not with those that prepare it. */
  duringAction: (fault: 'cutBefore' | 'cutAfter', act: () => Promise<void>) => Promise<void>;
  /** What really happened to the lines of an order. */
  truth: (order: string) => readonly { shipped: number; cancelled: number }[];
  /** Things that were done, or were to be done, a second time. */
  doubles: () => number;
  /** Names, streets and addresses of an order's persons. */
  persons: (order: string) => readonly string[];
  /** Requests that carried any of them. */
  personsSent: () => number;
};

/** A marketplace of its own for a test, and connectors that speak with it. Its time passes only when told. */
export type Market = {
  marketplace: string;
  currency: string;
  connector: Connector;
  /** The same account with secrets that are refused. */
  wrong: Connector;
  readMessage: ReadMessage;
  /** Every secret of both. */
  secrets: readonly string[];
  clock: Clock;
  pass: (seconds: number) => void;
  /** Lets everything that was taken go live. */
  settle: () => Promise<void>;
  /** Others change their offers of some articles of ours. */
  move: () => Promise<void>;
  /** From now on; undefined: all goes well again. */
  setFault: (fault: Fault | undefined) => void;
  /** Changes of prices that the marketplace took. */
  received: () => number;
  /** Absent: the connector only prices. */
  orders?: OrderStage;
  close: () => Promise<void>;
};

/** How a connector is brought before the contract's tests: with a marketplace of its own that sells `goods`. */
export type OpenMarket = (start?: Date) => Promise<Market>;
