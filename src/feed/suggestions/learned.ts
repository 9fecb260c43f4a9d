import { wordsOf } from '#feed/suggestions/words/words.ts';

/** A target that this company has assigned to a value before, in any of its tables. `where`: display name of the table. */
export type Decision = { readonly value: string; readonly target: string; readonly where: string };

/** The number of most similar earlier decisions that vote. */
const NEIGHBOURS = 15;
/** A word in more decisions than this is no evidence for any of them; skipping it also keeps searches fast. */
const COMMON = 4_000;

type Vote = { readonly target: string; readonly score: number; readonly example: string };

/**
 * Learns from earlier decisions: the decided values most similar to a new one vote for their targets, each with the square of its
 * similarity (cosine of rare words). Confidence: the winner's share of the votes times its highest similarity.
 */
export class Learned {
  private readonly decisions: readonly Decision[];
  private readonly byWord = new Map<string, { decision: number; weight: number }[]>();
  /** The number of decisions that contain each word. */
  private readonly counts = new Map<string, number>();
  private readonly scores: Float64Array;

  constructor(decisions: readonly Decision[]) {
    this.decisions = decisions;
    this.scores = new Float64Array(decisions.length);
    const documents = decisions.map(({ value }) => new Set(wordsOf(value)));
    const { counts } = this;
    for (const words of documents) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    documents.forEach((words, decision) => {
      const rarities = [...words].map((word) => ({ word, rarity: rarityOf(decisions.length, counts.get(word) ?? 0) }));
      const length = Math.hypot(...rarities.map(({ rarity }) => rarity)) || 1;
      for (const { word, rarity } of rarities) {
        if ((counts.get(word) ?? 0) > COMMON) continue;
        const list = this.byWord.get(word);
        const posting = { decision, weight: rarity / length };
        if (list === undefined) this.byWord.set(word, [posting]);
        else list.push(posting);
      }
    });
  }

  /** Targets of decided values similar to this one, the most similar first. */
  like(value: string, more: readonly string[], most: number): Vote[] {
    const nearest = this.nearest(new Set([value, ...more].flatMap(wordsOf)));
    const votes = new Map<string, { sum: number; best: number; example: string }>();
    let all = 0;
    for (const { decision, score } of nearest) {
      const { target, value: example } = this.decisions[decision] ?? { target: '', value: '' };
      const vote = votes.get(target) ?? { sum: 0, best: 0, example };
      votes.set(target, { sum: vote.sum + score * score, best: Math.max(vote.best, score), example: vote.example });
      all += score * score;
    }
    return [...votes]
      .map(([target, { sum, best, example }]) => ({ target, example, score: 0.95 * (sum / all) ** 0.5 * best ** 0.5 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, most);
  }

  private nearest(words: ReadonlySet<string>): { decision: number; score: number }[] {
    const touched: number[] = [];
    let square = 0;
    for (const word of words) {
      const list = this.byWord.get(word);
      const rarity = rarityOf(this.decisions.length, this.counts.get(word) ?? 0);
      square += rarity * rarity;
      for (const { decision, weight } of list ?? []) {
        if (this.scores[decision] === 0) touched.push(decision);
        this.scores[decision] = (this.scores[decision] ?? 0) + rarity * weight;
      }
    }
    const length = Math.sqrt(square) || 1;
    const found = touched.map((decision) => ({ decision, score: (this.scores[decision] ?? 0) / length }));
    for (const decision of touched) this.scores[decision] = 0;
    return found.sort((a, b) => b.score - a.score).slice(0, NEIGHBOURS);
  }
}

function rarityOf(size: number, count: number): number {
  return Math.log(1 + size / (1 + count));
}
