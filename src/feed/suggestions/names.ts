import { leafOf, type TargetEntry } from '#shared/targets/schema.ts';
import { alternativesOf, plainName, spellingDistance, wordsOf } from '#feed/suggestions/words/words.ts';

/** A target whose name matches the value: exactly, as one of several things in its name, by a synonym, or with a typo. */
export type Called = {
  readonly index: number;
  readonly kind: 'same' | 'part' | 'synonym' | 'near';
  /** 1, less for spelling differences. */
  readonly ratio: number;
};

/** Finds targets by their whole names. */
export class Names {
  private readonly byName = new Map<string, number[]>();
  private readonly byPart = new Map<string, number[]>();
  /** Names by length and first letter: a typo rarely affects the first letter. */
  private readonly alike = new Map<string, { name: string; index: number }[]>();
  private readonly synonyms: ReadonlyMap<string, string>;
  private readonly isWord: (word: string) => boolean;

  constructor(
    targets: readonly TargetEntry[],
    synonyms: ReadonlyMap<string, string>,
    isWord: (word: string) => boolean,
  ) {
    this.synonyms = synonyms;
    this.isWord = isWord;
    targets.forEach((target, index) => {
      const leaf = leafOf(target.name);
      const name = plainName(leaf);
      add(this.byName, name, index);
      add(this.byName, spellingKey(leaf), index);
      add(this.alike, bucket(name, name.length), { name, index });
      const parts = alternativesOf(leaf);
      if (parts.length > 1) for (const part of parts) add(this.byPart, spellingKey(part), index);
    });
  }

  *find(value: string): Generator<Called> {
    const name = plainName(value);
    const key = spellingKey(value);
    if (name === '') return;
    const same = this.byName.get(name) ?? this.byName.get(key);
    for (const index of same ?? []) yield { index, kind: 'same', ratio: 1 };
    for (const index of this.byPart.get(key) ?? []) yield { index, kind: 'part', ratio: 1 };
    for (const { word, ratio } of this.synonymsOf(name))
      for (const index of this.byName.get(plainName(word)) ?? []) yield { index, kind: 'synonym', ratio };
    if (same === undefined) yield* this.near(name);
  }

  /** Synonyms of the whole value or, if it has none, of its words. */
  private synonymsOf(name: string): { word: string; ratio: number }[] {
    const whole = this.synonyms.get(name);
    if (whole !== undefined) return [{ word: whole, ratio: 1 }];
    return name.split(' ').flatMap((part, at) => {
      const word = this.synonyms.get(part);
      return word === undefined ? [] : [{ word, ratio: 0.95 - 0.1 * at }];
    });
  }

  private *near(name: string): Generator<Called> {
    // A word that occurs in the targets' names is no typo of another.
    if (name.length < 5 || wordsOf(name).every((word) => this.isWord(word))) return;
    const most = name.length >= 10 ? 2 : 1;
    for (let length = name.length - most; length <= name.length + most; length += 1) {
      for (const { name: otherName, index } of this.alike.get(bucket(name, length)) ?? []) {
        const distance = spellingDistance(name, otherName, most);
        if (distance > 0 && distance <= most) yield { index, kind: 'near', ratio: 1 - distance / name.length };
      }
    }
  }
}

/** The stemmed words in order: singular and plural are the same name. */
function spellingKey(text: string): string {
  return wordsOf(text).join(' ');
}

const bucket = (name: string, length: number): string => `${name.slice(0, 1)}${length}`;

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  if (key === '') return;
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  // Targets come one after the other: the same one can only be the last.
  else if (list.at(-1) !== value) list.push(value);
}
