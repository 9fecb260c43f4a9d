import { Buyers } from './buyers.ts';
import { newCounters, type Counters } from './counters.ts';
import { happens, noFaults, type Chance, type Faults } from './faults.ts';
import type { Limited } from './limits.ts';
import { arrivals, offerMessage, type Place } from './offers.ts';
import { type KnownOrder, OrderBook, type OrderChange } from './order-book/book.ts';
import { feedMessage } from './order-book/feed-message.ts';
import { FeedStore, type SandboxFeed } from './order-book/feeds.ts';
import type { SandboxOrder } from './order-book/order.ts';
import { orderMessage } from './orders.ts';
import { World, type SandboxItem } from './world.ts';

export type LifeOptions = {
  place: Place;
  items: readonly SandboxItem[];
  clock: { now(): Date };
  chance: Chance;
  faults?: Partial<Faults>;
  /** How long an accepted price takes until buyers see it. */
  liveAfterMs?: readonly [number, number];
  /** How many rivals change their price per second of sandbox time. */
  movesPerSecond?: number;
  /** At most so many moves when the market is brought up to the present, however long that took. */
  movesAtOnce?: number;
  /** Orders of an article per hour at its usual price; a lower price increases them. */
  ordersPerHour?: number;
  /** Orders of earlier runs. */
  known?: readonly KnownOrder[];
  /** Called with every price received. */
  onPrice?: (sku: string) => void;
  /** Delivers at most 100 messages; if it throws, they are delivered again. */
  deliver?: (messages: unknown[]) => Promise<void>;
};

const AGAIN_MS = 2000;

/** The passing of time in the sandbox: rivals move, prices go live, buyers buy, messages arrive. */
export class Life {
  readonly counters: Counters = newCounters();
  readonly world: World;
  readonly book: OrderBook;
  readonly feeds: FeedStore;
  faults: Faults;
  private only: readonly Limited[] | undefined;
  private readonly options: LifeOptions;
  private readonly buyers: Buyers;
  private passed = 0;
  private last: number;
  private serial = 0;
  /** Prefix of message ids, new with every start of the sandbox. */
  private readonly run: string;
  private messages: { at: number; message: unknown }[] = [];
  private running: Promise<void> | undefined;

  constructor(options: LifeOptions) {
    this.options = options;
    this.faults = { ...noFaults, ...options.faults };
    this.last = this.now();
    this.run = `${this.last}`;
    this.buyers = new Buyers({
      chance: options.chance,
      faults: () => this.faults,
      perHour: options.ordersPerHour ?? 0,
      began: this.last,
    });
    this.world = new World(
      {
        chance: options.chance,
        faults: () => this.faults,
        counters: this.counters,
        liveAfterMs: options.liveAfterMs ?? [2000, 20_000],
        onPrice: options.onPrice,
        onLive: (article, before) => this.buyers.priceSeen(article, before, this.now()),
      },
      options.items,
    );
    const { world, counters } = this;
    const common = { counters, faults: () => this.faults, now: () => this.now() };
    this.book = new OrderBook({ ...common, world, onChange: (order, change, at) => this.tellOrder(order, change, at) });
    for (const order of options.known ?? []) this.book.recall(order);
    this.feeds = new FeedStore({
      ...common,
      world,
      book: this.book,
      place: options.place,
      onEnd: (feed) => this.tellFeed(feed),
    });
  }

  now(): number {
    return this.options.clock.now().getTime() + this.passed;
  }

  get waiting(): number {
    return this.messages.length;
  }

  /** Sets faults; `only`: limits the faults of calls to these operations. */
  setFaults(faults: Partial<Faults>, only?: readonly Limited[]): void {
    this.faults = { ...noFaults, ...faults };
    this.only = only;
  }

  /** Returns the faults that apply to a call. */
  faultsOf(operation: Limited): Faults {
    return this.only === undefined || this.only.includes(operation) ? this.faults : noFaults;
  }

  /** Advances the sandbox by some seconds, in addition to its clock. */
  async advance(seconds: number): Promise<void> {
    await this.running;
    this.passed += seconds * 1000;
    await this.turn();
  }

  /** Brings the sandbox up to the present; concurrent calls share one run. */
  turn(): Promise<void> {
    return (this.running ??= this.continueWork().finally(() => (this.running = undefined)));
  }

  async stop(): Promise<void> {
    await this.running;
  }

  private async continueWork(): Promise<void> {
    const { chance, movesPerSecond = 0, movesAtOnce = Infinity } = this.options;
    const at = this.now();
    const moves = Math.min(movesAtOnce, ((at - this.last) / 1000) * movesPerSecond);
    this.sell(at);
    this.last = at;
    this.settle();
    const whole = Math.floor(moves) + (happens(chance, moves % 1) ? 1 : 0);
    for (const article of this.world.advance(at, whole)) {
      const id = `${this.run}-${this.serial++}`;
      const message = offerMessage(article, this.options.place, { id, at: new Date(at) }, chance, this.faults);
      this.post(message, at);
    }
    await this.deliver(at);
  }

  /** Places the orders since the last run, at the prices that buyers saw. */
  private sell(now: number): void {
    for (const order of this.buyers.buy(this.world.articles.values(), this.last, now)) {
      const { id, line, sku, quantity, at, cancelledAt } = order;
      this.book.buy({ id, at, lines: [{ sku, quantity, id: line }], cancelAt: cancelledAt });
    }
  }

  /** Brings orders, feeds and prices up to the present; messages are not delivered yet. */
  settle(): void {
    this.world.settle(this.now());
    this.book.settle();
    this.feeds.settle();
  }

  private tellOrder(order: SandboxOrder, change: OrderChange, at: number): void {
    const { chance, place } = this.options;
    const id = `${this.run}-${this.serial++}`;
    this.post(orderMessage(order, place, { id, at, change }, happens(chance, this.faults.otherCase)), at);
  }

  private tellFeed(feed: SandboxFeed): void {
    const at = this.now();
    this.post(feedMessage(feed, this.options.place, { id: `${this.run}-${this.serial++}`, at }), at);
  }

  /** Schedules a message about an event. */
  private post(message: unknown, at: number): void {
    const when = arrivals(this.options.chance, this.faults, at);
    if (when.length === 0) this.counters.lost++;
    for (const one of when) this.messages.push({ at: one, message });
  }

  private async deliver(at: number): Promise<void> {
    const due = this.messages.filter((one) => one.at <= at).toSorted((one, other) => one.at - other.at);
    this.messages = this.messages.filter((one) => one.at > at);
    for (let first = 0; first < due.length; first += 100) {
      const some = due.slice(first, first + 100).map(({ message }) => message);
      try {
        await this.options.deliver?.(some);
        this.counters.messages += some.length;
      } catch {
        this.messages.push(...some.map((message) => ({ at: at + AGAIN_MS, message })));
      }
    }
  }
}
