import { between, happens, type Chance, type Faults } from './faults.ts';
import type { Article } from './world.ts';

/** A purchase; it may be cancelled later. */
export type Order = { id: string; line: string; sku: string; quantity: number; at: number; cancelledAt: number | null };

/** The beginning of every order number of the buyers. */
export const ORDER_PREFIX = '028-';

/** A price drop of this share attracts bargain hunters, for this many minutes, with this many orders an hour. */
const RUN = { fall: 0.2, minutes: 20, perHour: 240 } as const;
/** Exponent of demand: at twice the price a quarter is bought. */
const ELASTICITY = 2;
const HOUR = 3_600_000;

type BuyerDeps = {
  chance: Chance;
  faults: () => Faults;
  /** Orders of an article per hour at its usual price; 0: nobody buys. */
  perHour: number;
  /** When the sandbox started: every start has new order ids. */
  began: number;
};

/** Buyers of our articles: the lower the price, the more they order. */
export class Buyers {
  private readonly deps: BuyerDeps;
  private readonly runs = new Map<Article, number>();
  private serial = 0;

  constructor(deps: BuyerDeps) {
    this.deps = deps;
  }

  /** Called with every price that buyers see from that moment. */
  priceSeen(article: Article, before: number | null, now: number): void {
    const { chance, faults, perHour } = this.deps;
    if (perHour === 0 || before === null || article.live === null) return;
    if (article.live > before * (1 - RUN.fall)) this.runs.delete(article);
    else if (happens(chance, faults().bargainRun)) this.runs.set(article, now + RUN.minutes * 60_000);
  }

  /** Returns the orders placed from `since` to `now`. */
  buy(articles: Iterable<Article>, since: number, now: number): Order[] {
    const { chance, perHour } = this.deps;
    const orders: Order[] = [];
    if (perHour === 0) return orders;
    for (const article of articles) {
      const expected = this.expected(article, since, now);
      const count = Math.floor(expected) + (happens(chance, expected % 1) ? 1 : 0);
      for (let n = 0; n < count; n++) orders.push(this.order(article, since, now));
    }
    return orders;
  }

  private expected(article: Article, since: number, now: number): number {
    const { live, cents } = article;
    if (live === null) return 0;
    const hunted = Math.max(0, Math.min(now, this.runs.get(article) ?? 0) - since);
    return (this.deps.perHour * (cents / live) ** ELASTICITY * (now - since) + RUN.perHour * hunted) / HOUR;
  }

  private order({ sku }: Article, since: number, now: number): Order {
    const { chance, faults, began } = this.deps;
    const at = since + chance.next() * (now - since);
    const start = String(Math.floor(began / 1000)).slice(-7);
    const number = String(++this.serial).padStart(7, '0');
    return {
      // Amazon's format: 3-7-7 digits.
      id: `${ORDER_PREFIX}${start}-${number}`,
      line: `${start}${number}`,
      sku,
      quantity: happens(chance, 0.1) ? 2 : 1,
      at,
      cancelledAt: happens(chance, faults().cancelled) ? at + between(chance, 1, 60) * 60_000 : null,
    };
  }
}
