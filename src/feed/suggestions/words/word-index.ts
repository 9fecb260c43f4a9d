import { PATH_MARK } from '#shared/targets/schema.ts';
import { alternativesOf, wordsOf } from './words.ts';

/** Words of a path's last part say what a thing is; words above only where it belongs. */
const WEIGHT = { leaf: 1, path: 0.45, more: 0.4, part: 0.55 } as const;

type Weights = ReadonlyMap<string, number>;
type Posting = { readonly document: number; readonly weight: number };

/** The similarity of a value to the targets, by target index. */
export type Likeness = {
  readonly of: (index: number) => number;
  /** Whether both are paths, but without a common word in their branches. */
  readonly elsewhere: (index: number) => boolean;
  readonly best: (most: number) => { index: number; score: number }[];
  /** The words of a target's name that also occur in the value. */
  readonly shared: (index: number) => string[];
};

/**
 * An index of targets by word. A name that lists several things ('Mäntel & Jacken') is one document for each. Similarity is the
 * cosine of word weights, a word's weight being that of its position in the path times its rarity.
 */
export class WordIndex {
  private readonly names: readonly string[];
  /** The target index of each document. */
  private readonly owners: number[] = [];
  private readonly byWord = new Map<string, Posting[]>();
  private readonly counts = new Map<string, number>();
  private readonly parts = new Map<string, readonly string[]>();
  private readonly scores: Float64Array;

  constructor(names: readonly string[]) {
    this.names = names;
    const documents: Weights[] = [];
    names.forEach((name, index) => {
      for (const weights of documentsOf(name)) {
        documents.push(weights);
        this.owners.push(index);
      }
    });
    for (const weights of documents)
      for (const word of weights.keys()) this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
    documents.forEach((weights, document) => {
      const weighed = this.weighed(weights);
      for (const [word, weight] of weighed) {
        const list = this.byWord.get(word);
        if (list === undefined) this.byWord.set(word, [{ document, weight }]);
        else list.push({ document, weight });
      }
    });
    this.scores = new Float64Array(this.owners.length);
  }

  knows(word: string): boolean {
    return this.byWord.has(word);
  }

  /** Weights times rarity, normalised to length 1. */
  private weighed(weights: Weights): Map<string, number> {
    const rare = new Map([...weights].map(([word, weight]) => [word, weight * this.rarityOf(word)]));
    let sum = 0;
    for (const weight of rare.values()) sum += weight * weight;
    const length = Math.sqrt(sum) || 1;
    return new Map([...rare].map(([word, weight]) => [word, weight / length]));
  }

  private rarityOf(word: string): number {
    return Math.log(1 + this.owners.length / (1 + (this.counts.get(word) ?? 0)));
  }

  likeness(value: string, more: readonly string[]): Likeness {
    const path = value.split(PATH_MARK.trim());
    const leaf = new Set(wordsOf(path.at(-1) ?? ''));
    const weights = this.weighed(askedWeights(path, more));
    const byTarget = this.scored(weights, leaf);
    return {
      of: (index) => byTarget.get(index) ?? 0,
      elsewhere: (index) => {
        const parents = (this.names[index] ?? '').split(PATH_MARK.trim()).slice(0, -1);
        const words = new Set(path.slice(0, -1).flatMap(wordsOf));
        return words.size > 0 && parents.length > 0 && !parents.flatMap(wordsOf).some((word) => words.has(word));
      },
      best: (most) =>
        [...byTarget]
          .map(([index, score]) => ({ index, score }))
          .sort((a, b) => b.score - a.score)
          .slice(0, most),
      shared: (index) => this.sharedWords(index, weights, leaf),
    };
  }

  private scored(weights: Weights, leaf: ReadonlySet<string>): Map<number, number> {
    const touched: number[] = [];
    const add = (word: string, weight: number) => {
      for (const { document, weight: otherWeight } of this.byWord.get(word) ?? []) {
        if (this.scores[document] === 0) touched.push(document);
        this.scores[document] = (this.scores[document] ?? 0) + weight * otherWeight;
      }
    };
    for (const [word, weight] of weights) {
      add(word, weight);
      // A compound means what its last part says: 'Bohrhammer' is a 'Hammer'. Words of the path above count only as whole words.
      if (leaf.has(word) && !this.byWord.has(word))
        for (const part of this.partsOf(word)) add(part, weight * WEIGHT.part);
    }
    const byTarget = new Map<number, number>();
    for (const document of touched) {
      const index = this.owners[document] ?? -1;
      byTarget.set(index, Math.max(byTarget.get(index) ?? 0, this.scores[document] ?? 0));
      this.scores[document] = 0;
    }
    return byTarget;
  }

  /** Known words that the word ends with, the longest first, then one that it begins with. */
  private partsOf(word: string): readonly string[] {
    const before = this.parts.get(word);
    if (before !== undefined) return before;
    const cuts = Array.from({ length: Math.max(0, word.length - 4) }, (_, index) => index + 1);
    const end = cuts.map((cut) => word.slice(cut)).find((part) => this.byWord.has(part));
    const begin = cuts
      .toReversed()
      .map((cut) => word.slice(0, cut + 3))
      .find((part) => this.byWord.has(part) && part.length < word.length);
    // A stem has lost its last letter: 'damenhos' ends with 'Hose'.
    const short = `${word.slice(-3)}e`;
    const last = end ?? (word.length > 5 && this.byWord.has(short) ? short : undefined);
    const found = [last, begin].filter((part) => part !== undefined);
    this.parts.set(word, found);
    return found;
  }

  private sharedWords(index: number, weights: Weights, leaf: ReadonlySet<string>): string[] {
    const words = new Set([...weights.keys(), ...[...leaf].flatMap((word) => [...this.partsOf(word)])]);
    const written = (this.names[index] ?? '').split(/[^\p{L}\p{N}-]+/u);
    const shared = written.filter((word) => wordsOf(word).some((stemmed) => words.has(stemmed)));
    // The last words of a path are the most significant.
    return [...new Set(shared.toReversed())].slice(0, 3);
  }
}

/** One document for each thing that the last part of a name lists. */
function documentsOf(name: string): Weights[] {
  const path = name.split(PATH_MARK.trim());
  const above = new Map(
    path
      .slice(0, -1)
      .flatMap(wordsOf)
      .map((word) => [word, WEIGHT.path as number]),
  );
  return alternativesOf(path.at(-1) ?? '').map((thing) => {
    const weights = new Map(above);
    for (const word of wordsOf(thing)) weights.set(word, WEIGHT.leaf);
    return weights;
  });
}

function askedWeights(path: readonly string[], more: readonly string[]): Weights {
  const weights = new Map<string, number>();
  const put = (text: string, weight: number) => {
    for (const word of wordsOf(text)) weights.set(word, Math.max(weights.get(word) ?? 0, weight));
  };
  for (const text of more) put(text, WEIGHT.more / Math.sqrt(more.length));
  path.forEach((part, index) => put(part, index === path.length - 1 ? WEIGHT.leaf : WEIGHT.path));
  return weights;
}
