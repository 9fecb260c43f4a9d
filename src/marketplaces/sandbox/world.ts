import type { Counters } from './counters.ts';
import { between, happens, type Chance, type Faults } from './faults.ts';

/**
 * An article that we sell there, with its set-up in cents. The bounds are the sandbox's own, whatever bounds a price update
 * names.
 */
export type SandboxItem = {
  sku: string;
  asin: string;
  cents: number;
  minCents: number;
  maxCents: number;
  /** Pieces that the merchant really has, all for sale at the beginning; absent: unlimited. */
  stock?: number;
};

export type Rival = {
  seller: string;
  cents: number;
  shipping: number;
  byAmazon: boolean;
  ratings: number;
  positive: number;
  /** Price in cents below which the rival does not go. */
  floor: number;
  strategy: (typeof strategies)[number];
};
/** undercut: a cent below the cheapest; box: the price of the BuyBox; steady: hardly ever moves; wander: up and down. */
const strategies = ['undercut', 'box', 'steady', 'wander'] as const;

export type Article = SandboxItem & {
  /** Price that buyers see; null: no offer of ours. */
  live: number | null;
  pending: { cents: number; at: number } | undefined;
  rivals: Rival[];
  /** Pieces for sale; null: never set. */
  listed: number | null;
  /** Pieces bought and not cancelled. */
  sold: number;
};

type WorldDeps = {
  chance: Chance;
  faults: () => Faults;
  counters: Counters;
  liveAfterMs: readonly [number, number];
  /** Called with every price received, and with every price that goes live. */
  onPrice?: ((sku: string) => void) | undefined;
  onLive?: ((article: Article, before: number | null) => void) | undefined;
};

/** The articles, our offers and those of rivals, and how they change over time. Times are in milliseconds. */
export class World {
  readonly articles = new Map<string, Article>();
  private readonly deps: WorldDeps;
  private readonly list: Article[];
  private readonly pending = new Set<Article>();
  /** Articles whose price went live since rivals last moved. */
  private readonly wentLive = new Set<Article>();

  constructor(deps: WorldDeps, items: readonly SandboxItem[]) {
    this.deps = deps;
    for (const item of items)
      this.articles.set(item.sku, {
        ...item,
        live: item.cents,
        pending: undefined,
        rivals: this.rivalsOf(item),
        listed: item.stock ?? null,
        sold: 0,
      });
    this.list = [...this.articles.values()];
  }

  private rivalsOf({ cents }: SandboxItem): Rival[] {
    const { chance } = this.deps;
    return Array.from({ length: between(chance, 0, 5) }, (_, n): Rival => {
      const byAmazon = happens(chance, 0.4);
      return {
        seller: `A${between(chance, 1, 40).toString().padStart(2, '0')}RIVAL${n}`,
        cents: Math.max(1, Math.round(cents * (0.95 + chance.next() * 0.25))),
        shipping: byAmazon || happens(chance, 0.5) ? 0 : 399,
        byAmazon,
        ratings: between(chance, 0, 9000),
        positive: between(chance, 72, 100),
        floor: Math.max(1, Math.round(cents * (0.75 + chance.next() * 0.2))),
        strategy: strategies[between(chance, 0, strategies.length - 1)] ?? 'steady',
      };
    });
  }

  /** Deducts pieces from what is for sale. False: there are not enough, and nothing was deducted. */
  sell(lines: readonly { sku: string; quantity: number }[]): boolean {
    const { counters } = this.deps;
    const bought = lines.map(({ sku, quantity }) => ({ article: this.articles.get(sku), quantity }));
    if (bought.some(({ article, quantity }) => article !== undefined && (article.listed ?? quantity) < quantity))
      return false;
    for (const { article, quantity } of bought) {
      if (article === undefined) continue;
      if (article.listed !== null) article.listed -= quantity;
      const before = missingPieces(article);
      article.sold += quantity;
      counters.oversold += missingPieces(article) - before;
    }
    return true;
  }

  /** Frees pieces of a cancelled purchase; `back`: they are for sale again. */
  free(sku: string, quantity: number, back: boolean): void {
    const article = this.articles.get(sku);
    if (article === undefined) return;
    article.sold -= quantity;
    if (back && article.listed !== null) article.listed += quantity;
  }

  /** Makes due prices go live. */
  settle(now: number): void {
    for (const article of this.pending) {
      if (article.pending !== undefined && article.pending.at > now) continue;
      this.pending.delete(article);
      if (article.pending === undefined) continue;
      const before = article.live;
      article.live = article.pending.cents;
      article.pending = undefined;
      this.deps.onLive?.(article, before);
      this.deps.counters.live++;
      this.wentLive.add(article);
    }
  }

  /** Lets `moves` rivals act and prices go live; returns the articles whose offers changed. */
  advance(now: number, moves: number): Article[] {
    this.settle(now);
    const changed = new Set(this.wentLive);
    this.wentLive.clear();
    for (let move = 0; move < moves; move++) {
      const article = this.list[between(this.deps.chance, 0, this.list.length - 1)];
      const rival = article?.rivals[between(this.deps.chance, 0, article.rivals.length - 1)];
      if (article === undefined || rival === undefined || !this.act(article, rival)) continue;
      this.deps.counters.moves++;
      changed.add(article);
    }
    return [...changed];
  }

  /** Lets a rival act; returns whether its price changed. */
  private act(article: Article, rival: Rival): boolean {
    const before = rival.cents;
    const wanted = this.wanted(article, rival);
    rival.cents = Math.max(rival.floor, 1, wanted);
    return rival.cents !== before;
  }

  private wanted(article: Article, rival: Rival): number {
    const { chance } = this.deps;
    if (rival.strategy === 'steady') return happens(chance, 0.1) ? rival.cents + between(chance, -50, 50) : rival.cents;
    if (rival.strategy === 'wander' || happens(chance, 0.05))
      return Math.round(article.cents * (0.93 + chance.next() * 0.2));
    const others = offersOf(article).filter(({ seller }) => seller !== rival.seller);
    const holder = rival.strategy === 'box' ? boxOf(article) : undefined;
    const target = holder === rival.seller ? undefined : others.find(({ seller }) => seller === (holder ?? seller));
    const lowest = target ?? others[0];
    return lowest === undefined ? rival.cents : lowest.cents + lowest.shipping - rival.shipping - (holder ? 0 : 1);
  }

  /**
   * Returns whether a price would be accepted; changes nothing. A price outside the bounds is counted, because the program sent
   * it.
   */
  preview({ minCents, maxCents }: Article, cents: number): boolean {
    const { chance, counters, faults } = this.deps;
    counters.previews++;
    const inside = cents >= minCents && cents <= maxCents;
    if (!inside) counters.outside++;
    return inside && !happens(chance, faults().invalid);
  }

  /** Accepts a price as the marketplace does: it goes live later or never. False: it is refused. */
  take(article: Article, cents: number, now: number): boolean {
    const { chance, counters, faults, liveAfterMs } = this.deps;
    counters.prices++;
    this.deps.onPrice?.(article.sku);
    const inside = cents >= article.minCents && cents <= article.maxCents;
    if (!inside) counters.outside++;
    if ((article.pending?.cents ?? article.live) === cents) counters.repeated++;
    if (!inside || happens(chance, faults().invalid)) {
      counters.invalid++;
      return false;
    }
    counters.accepted++;
    if (!happens(chance, faults().neverLive)) {
      article.pending = { cents, at: now + between(chance, liveAfterMs[0], liveAfterMs[1]) };
      this.pending.add(article);
    }
    return true;
  }
}

/** Returns how many pieces were sold that the merchant does not have. */
const missingPieces = ({ stock, sold }: Article): number => Math.max(0, sold - (stock ?? sold));

/** Returns all offers of an article, cheapest first; ours has the seller ''. */
export function offersOf(article: Article): (Omit<Rival, 'floor' | 'strategy'> & { own: boolean })[] {
  const own =
    article.live === null
      ? []
      : [{ seller: '', cents: article.live, shipping: 0, byAmazon: false, ratings: 1200, positive: 97, own: true }];
  const rivals = article.rivals.map(({ floor: _floor, strategy: _strategy, ...offer }) => ({ ...offer, own: false }));
  return [...own, ...rivals].toSorted(
    (one, other) => one.cents + one.shipping - (other.cents + other.shipping) || one.seller.localeCompare(other.seller),
  );
}

/**
 * Returns the seller in the BuyBox: the best price, with a 3 % bonus for shipping by Amazon and a 5 % malus for bad ratings. ''
 * is us.
 */
export function boxOf(article: Article): string | undefined {
  const score = (offer: ReturnType<typeof offersOf>[number]) =>
    (offer.cents + offer.shipping) * (offer.byAmazon ? 0.97 : 1) * (offer.positive < 85 ? 1.05 : 1);
  return offersOf(article).toSorted((one, other) => score(one) - score(other))[0]?.seller;
}
