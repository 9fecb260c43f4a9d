import type { Facet } from '#shared/items/facets.ts';

/** Letters of all kept answers; an answer that names fifty long values takes 50,000. */
const MOST_LETTERS = 16_000_000;

/**
 * Answers to facets, of the program's companies together. Their keys name a snapshot, which never changes, and what was asked of it, so
 * they never get stale; the longest unasked go where memory is needed for newer ones.
 */
export class FacetCache {
  private readonly most: number;
  /** The longest unasked first. */
  private readonly answers = new Map<string, { facet: Facet; letters: number }>();
  private letters = 0;

  constructor(most: number = MOST_LETTERS) {
    this.most = most;
  }

  /** The kept answer, else that of `compute`, which is kept from now on. */
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
