/**
 * Texts about goods are compared word by word: lower-cased, without accents, without the endings of German and English plurals,
 * and without these words, which say nothing about the thing.
 */

const silent = new Set(
  (
    'und oder fuer mit ohne von vom zum zur der die das des den dem ein eine aus im in am an auf bei ' +
    'and or for with without of from the a an to by on at other others sonstige sonstiges andere weitere ' +
    'artikel produkt produkte product products item items zubehoerteile diverse misc'
  ).split(' '),
);

const folded: readonly (readonly [RegExp, string])[] = [
  [/ä/g, 'ae'],
  [/ö/g, 'oe'],
  [/ü/g, 'ue'],
  [/ß/g, 'ss'],
];

/** Normalises letters and digits: 'Größe', 'Groesse' and 'GRÖSSE' become equal. */
export function foldText(text: string): string {
  let plain = text.toLowerCase();
  for (const [from, to] of folded) plain = plain.replace(from, to);
  return plain.normalize('NFD').replace(/\p{M}/gu, '');
}

/** The normalised words of a text, for comparison. */
export function wordsOf(text: string): string[] {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const words = foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !silent.has(word) && !/^\d+$/.test(word))
    .map(stem);
  // Names and values are looked up repeatedly; a bounded cache saves most of the work.
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(text, words);
  return words;
}
const REMEMBERED = 50_000;
const remembered = new Map<string, string[]>();

/** The things that a name lists: 'Mäntel & Jacken' are two. */
export function alternativesOf(name: string): string[] {
  const things = name
    .split(/[&+,;/]|\b(?:und|and|oder|or)\b/i)
    .map((thing) => thing.trim())
    .filter((thing) => thing !== '');
  return things.length === 0 ? [name] : things;
}

/** Normalises a name: without differences in case, accents, punctuation, and the legal form of a company. */
export function plainName(text: string): string {
  const bare = foldText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return bare.replaceAll(/ (?:gmbh|ag|kg|co|ohg|gbr|ug|se|inc|ltd|llc|corp|company|group|gruppe)(?= |$)/g, '').trim();
}

/** Cuts plural and case endings if enough of the word remains; crude, but equal on both sides. */
export function stem(written: string): string {
  // Plurals also change vowels: 'Mantel' and 'Mäntel'.
  const word = written.replaceAll(/([aou])e/g, '$1');
  if (word.length < 5)
    return word.endsWith('s') && word.length === 4 && !word.endsWith('ss') ? word.slice(0, -1) : word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  if (word.length === 5) return stemOfFive(word, word !== written);
  if (word.endsWith('ern') || word.endsWith('en') || word.endsWith('er')) return word.replace(/e(?:rn|n|r)$/, '');
  if (word.endsWith('es')) return word.slice(0, -2);
  if (/[^s]s$/.test(word) || word.endsWith('n') || word.endsWith('e')) return word.slice(0, -1);
  return word;
}

const threeLetters = new Set(['uhren', 'turen', 'ohren']);

/**
 * In short words the ending is ambiguous: 'Hosen' and 'Bikes' are plurals of 'Hose' and 'Bike', which keep their e; 'Leder' is
 * singular, unless the vowel changed as in 'Räder'.
 */
function stemOfFive(word: string, changedVowel: boolean): string {
  if (threeLetters.has(word) || (word.endsWith('er') && changedVowel)) return word.slice(0, -2);
  if (word.endsWith('er') || word.endsWith('ern')) return word;
  return /(?:[^s]s|n|e)$/.test(word) ? word.slice(0, -1) : word;
}

/** Longer texts are not compared letter by letter: the time grows with the square of their length, and names are shorter. */
const LONGEST_NAME = 200;

/** Distance of two short texts in single-letter edits (insert, delete, replace, swap), at most `most` + 1. */
export function spellingDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most || one.length > LONGEST_NAME) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    let least = row;
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1] ? 0 : 1;
      let value = Math.min((last[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + same);
      const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (swapped) value = Math.min(value, (before[at - 2] ?? 0) + 1);
      now.push(value);
      least = Math.min(least, value);
    }
    if (least > most) return most + 1;
    [before, last] = [last, now];
  }
  return last[other.length] ?? most + 1;
}
