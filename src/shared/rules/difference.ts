import { actionSentence, conditionSentence, quoted, ruleName, ruleSentence } from './sentences.ts';
import type { Action, Condition, Rule } from './schema.ts';

/**
 * Returns all changes between two lists of rules as German sentences: for the history, for both sides of a conflict, and before a
 * save. Equal lists give none.
 */
export function ruleListChanges(before: readonly Rule[], after: readonly Rule[]): string[] {
  const [was, is] = [byId(before), byId(after)];
  const sentences: string[] = [];
  for (const rule of after) {
    const old = was.get(rule.id);
    if (old === undefined) sentences.push(`${ruleName(rule)} angelegt${paused(rule)}: ${ruleSentence(rule)}.`);
    else sentences.push(...ruleChanges(old, rule));
  }
  for (const rule of before) {
    if (!is.has(rule.id)) sentences.push(`${ruleName(rule)} gelöscht. Sie lautete: ${ruleSentence(rule)}.`);
  }
  return [...sentences, ...orderChanges(before, after)];
}

/** Returns the changes of one rule; every sentence names it. */
export function ruleChanges(before: Rule, after: Rule): string[] {
  const sentences: string[] = [];
  const say = (text: string) => sentences.push(`${ruleName(after)}: ${text}`);
  if (before.name !== after.name) say(`hieß vorher ${quoted(before.name)}.`);
  if (before.active !== after.active) say(after.active ? 'aktiviert.' : 'pausiert.');
  if (before.description !== after.description) say('Beschreibung geändert.');
  const conditions = { noun: 'Bedingung', sentence: conditionSentence };
  const actions = { noun: 'Aktion', sentence: actionSentence };
  partChanges<Condition>(before.querys, after.querys, conditions).forEach(say);
  partChanges<Action>(before.actions, after.actions, actions).forEach(say);
  return sentences;
}

type Part = { readonly id: string };
type Words<P> = { readonly noun: string; readonly sentence: (part: P) => string };

/** Parts are matched by id; programs may send them without ids, then by position. */
function partChanges<P extends Part>(before: readonly P[], after: readonly P[], words: Words<P>): string[] {
  const [was, is] = [keyed(before), keyed(after)];
  const sentences: string[] = [];
  for (const [key, part] of is) {
    const old = was.get(key);
    if (old === undefined) sentences.push(`${words.noun} dazu: ${words.sentence(part)}.`);
    else if (content(old) !== content(part)) sentences.push(partChange(old, part, words));
  }
  for (const [key, part] of was) {
    if (!is.has(key)) sentences.push(`${words.noun} entfernt: ${words.sentence(part)}.`);
  }
  const common = (one: ReadonlyMap<string, P>, other: ReadonlyMap<string, P>) =>
    [...one.keys()].filter((key) => other.has(key)).join('\n');
  if (common(was, is) !== common(is, was)) sentences.push(`${words.noun}en umsortiert.`);
  return sentences;
}

function partChange<P extends Part>(before: P, after: P, { noun, sentence }: Words<P>): string {
  const [old, now] = [sentence(before), sentence(after)];
  // Long values are cut in sentences, so two different ones may look alike.
  return old === now ? `${noun} geändert: ${now}.` : `${noun} war „${old}“, ist jetzt „${now}“.`;
}

function keyed<P extends Part>(parts: readonly P[]): Map<string, P> {
  const twice = new Set(parts.map(({ id }) => id)).size < parts.length;
  return new Map(parts.map((part, index) => [twice || part.id === '' ? `#${index}` : part.id, part]));
}

function content(part: Part): string {
  return JSON.stringify({ ...part, id: '' });
}

/** Returns sentences for the rules to move from the old order to the new one: those outside the longest common order. */
function orderChanges(before: readonly Rule[], after: readonly Rule[]): string[] {
  const indexes = new Map(before.map(({ id }, index) => [id, index]));
  const common = after.filter(({ id }) => indexes.has(id));
  const unmoved = longestRising(common.map(({ id }) => indexes.get(id) ?? 0));
  return common
    .filter((_, index) => !unmoved.has(index))
    .map((rule) => {
      const position = after.indexOf(rule) + 1;
      return `${ruleName(rule)}: an Stelle ${position} verschoben (vorher Stelle ${(indexes.get(rule.id) ?? 0) + 1}).`;
    });
}

/** Returns the indexes of one longest strictly rising subsequence (patience sorting, O(n log n)). */
export function longestRising(numbers: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous: number[] = [];
  numbers.forEach((number, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  });
  const found = new Set<number>();
  for (let index = tails.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) found.add(index);
  return found;
}

const byId = (rules: readonly Rule[]) => new Map(rules.map((rule) => [rule.id, rule]));
const paused = (rule: Rule) => (rule.active ? '' : ' (pausiert)');
