import { between, happens, type Chance, type Faults } from './faults.ts';
import type { Article } from './world.ts';

/** What somebody bought; it may be cancelled at a later moment. */
export type Order = { id: string; line: string; sku: string; quantity: number; at: number; cancelledAt: number | null };

/** How far a price falls at once until bargain hunters pass it on, how long they come, and how many in an hour. */
const RUN = { fall: 0.2, minutes: 20, perHour: 240 } as const;
/** Twice as dear is bought a quarter as often. */
const ELASTICITY = 2;
const HOUR = 3_600_000;

type BuyerDeps = {
  chance: Chance;
  faults: () => Faults;
  /** Orders of an article in an hour at its usual price; 0: nobody buys. */
  perHour: number;
  /** When the sandbox began: ids of orders are new with every start. */
  began: number;
};

/** Those who buy our articles: the cheaper, the more often. */
export class Buyers {
  private readonly deps: BuyerDeps;
  private readonly runs = new Map<Article, number>();
  private serial = 0;

  constructor(deps: BuyerDeps) {
    this.deps = deps;
  }

  /** Told of every price that buyers see from now on. */
  priceSeen(article: Article, before: number | null, now: number): void {
    const { chance, faults, perHour } = this.deps;
    if (perHour === 0 || before === null || article.live === null) return;
    if (article.live > before * (1 - RUN.fall)) this.runs.delete(article);
    else if (happens(chance, faults().bargainRun)) this.runs.set(article, now + RUN.minutes * 60_000);
  }

  /** What was bought from `since` to `now`. */
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
      // As Amazon writes them: 3-7-7 digits.
      id: `028-${start}-${number}`,
      line: `${start}${number}`,
      sku,
      quantity: happens(chance, 0.1) ? 2 : 1,
      at,
      cancelledAt: happens(chance, faults().cancelled) ? at + between(chance, 1, 60) * 60_000 : null,
    };
  }
}
