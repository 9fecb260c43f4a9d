import type { Counters } from './counters.ts';
import type { Chance, Faults } from './faults.ts';
import type { CallLimits, Limited } from './limits.ts';
import type { Place } from './offers.ts';
import type { OrderBook } from './order-book/book.ts';
import type { FeedStore } from './order-book/feeds.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Tokens } from './tokens.ts';
import type { World } from './world.ts';

/** `body`: text and bytes are sent as they are, undefined as an empty answer, anything else as JSON. */
export type Answer = { status: number | 'cut'; body?: unknown; headers?: Record<string, string> };
export type SandboxRequest = {
  method: string;
  url: URL;
  text: string;
  body: unknown;
  token: string;
  headers: Readonly<Record<string, string>>;
};
export type Behind = {
  world: World;
  book: OrderBook;
  feeds: FeedStore;
  limits: CallLimits;
  tokens: Tokens;
  counters: Counters;
  subscriptions: Subscriptions;
  place: Place;
  chance: Chance;
  faults: () => Faults;
  /** The faults that apply to calls of one operation. */
  faultsOf: (operation: Limited) => Faults;
  now: () => number;
};

export const refused = (status: number, code: string, message: string, details = ''): Answer => ({
  status,
  body: { errors: [{ code, message, details }] },
});
