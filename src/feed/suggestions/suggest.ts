import { leafOf, type TargetEntry } from '#shared/targets/schema.ts';
import { Learned, type Decision } from './learned.ts';
import { Names } from './names.ts';
import { plainName } from '#feed/suggestions/words/words.ts';
import { WordIndex } from '#feed/suggestions/words/word-index.ts';

/** A target for a value, with its confidence from 0 to 1 and the reason as a German sentence. */
export type Suggestion = { readonly target: TargetEntry; readonly confidence: number; readonly reason: string };

/** A value to be assigned; `more` are texts of its items (titles), which count less than its own words. */
export type SuggestionInput = { readonly value: string; readonly more?: readonly string[] };

/** Suggestions with a lower confidence are dropped. */
const LEAST = 0.2;
/** Subtracted from the confidence if value and target are in branches without a common word. */
const ELSEWHERE = 0.15;

type Offer = { readonly index: number; readonly confidence: number; readonly reason: () => string };

/**
 * Finds targets for values by earlier decisions of this company, by equal or nearly equal names, by synonyms, and by common words
 * (rare words count more, parts of German compounds in part; common words of earlier decisions count, too). Everything is
 * computed here; no data leaves the machine. docs/suggestions.md
 */
export class Suggester {
  private readonly targets: readonly TargetEntry[];
  private readonly known: ReadonlyMap<string, number>;
  private readonly decided = new Map<string, { index: number; where: string; times: number }>();
  private readonly names: Names;
  private readonly words: WordIndex;
  private readonly learned: Learned;

  constructor(
    targets: readonly TargetEntry[],
    decisions: readonly Decision[],
    synonyms: ReadonlyMap<string, string> = new Map(),
  ) {
    this.targets = targets;
    this.known = new Map(targets.map(({ id }, index) => [id, index]));
    this.words = new WordIndex(targets.map(({ name }) => name));
    this.names = new Names(targets, synonyms, (word) => this.words.knows(word));
    this.learned = new Learned(decisions.filter(({ target }) => this.known.has(target)));
    for (const decision of decisions) this.remember(decision);
  }

  /** The latest decision about exactly the same text wins. */
  private remember({ value, target, where }: Decision): void {
    const key = plainName(value);
    const index = this.known.get(target);
    if (key === '' || index === undefined) return;
    const before = this.decided.get(key);
    this.decided.set(key, { index, where, times: before?.index === index ? before.times + 1 : 1 });
  }

  /** Returns the best targets for a value, highest confidence first. */
  suggest(input: SuggestionInput, most = 5): Suggestion[] {
    const best = new Map<number, Offer>();
    for (const offer of this.offers(input, most)) {
      if (offer.confidence >= LEAST && (best.get(offer.index)?.confidence ?? 0) < offer.confidence)
        best.set(offer.index, offer);
    }
    return [...best.values()]
      .sort((a, b) => b.confidence - a.confidence || a.index - b.index)
      .slice(0, most)
      .flatMap(({ index, confidence, reason }) => {
        const target = this.targets[index];
        return target === undefined
          ? []
          : [{ target, confidence: Math.round(confidence * 100) / 100, reason: reason() }];
      });
  }

  private *offers({ value, more = [] }: SuggestionInput, most: number): Generator<Offer> {
    const decided = this.decided.get(plainName(value));
    if (decided) yield { index: decided.index, confidence: 0.99, reason: () => decidedReason(decided) };
    const likeness = this.words.likeness(value, more);
    for (const { index, kind, ratio } of this.names.find(leafOf(value))) {
      // Of several targets with the same name, the one in the most similar branch comes first.
      const around = 0.05 * likeness.of(index) - (likeness.elsewhere(index) ? ELSEWHERE : 0);
      yield { index, confidence: sureness[kind] * ratio + around, reason: () => nameReason(kind, leafOf(value)) };
    }
    for (const { index, score } of likeness.best(most * 2)) {
      const reason = () =>
        `gemeinsame Wörter: ${likeness
          .shared(index)
          .map((word) => `„${word}“`)
          .join(', ')}`;
      const sure = likeness.elsewhere(index) ? score * (1 - ELSEWHERE) : score;
      yield { index, confidence: Math.min(0.88, sure), reason };
    }
    for (const { target, score, example } of this.learned.like(value, more, most)) {
      const reason = () => `ähnlich wie „${example}“, das Sie so zugeordnet haben`;
      yield { index: this.known.get(target) ?? -1, confidence: score, reason };
    }
  }
}

const sureness = { same: 0.93, part: 0.88, synonym: 0.88, near: 0.85 } as const;
type NameKind = keyof typeof sureness;

function nameReason(kind: NameKind, value: string): string {
  switch (kind) {
    case 'same':
      return 'gleicher Name';
    case 'part':
      return `„${value}“ steht im Namen`;
    case 'synonym':
      return `„${value}“ ist ein anderes Wort dafür`;
    case 'near':
      return 'fast gleich geschrieben';
  }
}

function decidedReason({ where, times }: { where: string; times: number }): string {
  const often = times > 1 ? ` ${times}-mal` : '';
  return `von Ihnen schon${often} so zugeordnet (${where})`;
}
