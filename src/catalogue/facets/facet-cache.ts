import type { Facet } from '#shared/items/facets.ts';

/** Most characters of all cached facets; one with fifty long values takes 50,000. */
const MOST_LETTERS = 16_000_000;

/**
 * Cache of facets, shared by all companies. A key contains the snapshot, which never changes, and the query, so entries never
 * become stale. When memory is needed for new ones, the least recently used are removed.
 */
export class FacetCache {
  private readonly most: number;
  /** Least recently used first. */
  private readonly answers = new Map<string, { facet: Facet; letters: number }>();
  private letters = 0;

  constructor(most: number = MOST_LETTERS) {
    this.most = most;
  }

  /** Returns the cached facet; otherwise computes and caches it. */
  async ask(key: string, compute: () => Promise<Facet>): Promise<Facet> {
    const known = this.answers.get(key);
    if (known !== undefined) {
      this.answers.delete(key);
      this.answers.set(key, known);
      return known.facet;
    }
    const facet = await compute();
    this.keep(key, facet);
    return facet;
  }

  private keep(key: string, facet: Facet): void {
    this.drop(key);
    const letters = key.length + JSON.stringify(facet).length;
    this.answers.set(key, { facet, letters });
    this.letters += letters;
    for (const oldest of this.answers.keys()) {
      if (this.letters <= this.most) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const dropped = this.answers.get(key);
    if (dropped === undefined) return;
    this.answers.delete(key);
    this.letters -= dropped.letters;
  }
}
