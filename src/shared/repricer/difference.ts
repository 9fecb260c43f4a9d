import {
  type ExcludedSeller,
  MIN_PRICE_STRATEGIES,
  NON_COMPETITION_STRATEGIES,
  STRATEGIES,
  type PriceField,
  type RepricerAction,
  type RepricerRule,
} from './schema.ts';
import { quoted } from '#shared/rules/sentences.ts';
import { moneyText } from '#shared/values/money-text.ts';

const nameOf = ({ name }: RepricerRule) => `Repricing-Regel ${name.trim() === '' ? 'ohne Namen' : quoted(name)}`;

const labelOf = (choices: readonly { value: string | number; label: string }[], value: string | number) =>
  choices.find((choice) => String(choice.value) === String(value))?.label ?? String(value);

/** Label of each member on the page, and the text of its value. */
const words: readonly [string, (action: RepricerAction) => string][] = [
  ['Mindestpreis', ({ min_price }) => fieldWord(min_price)],
  ['Maximalpreis', ({ max_price }) => fieldWord(max_price)],
  ['Standardpreis', ({ standard_price }) => fieldWord(standard_price)],
  ['Strategie', ({ strategy }) => labelOf(STRATEGIES, strategy)],
  ['Preisdifferenz', ({ diff_price }) => differenceWord(diff_price)],
  ['Ohne Wettbewerb', ({ non_competition_strategy: value }) => aloneWord(value)],
  ['Unter Mindestpreis', ({ min_price_strategy }) => labelOf(MIN_PRICE_STRATEGIES, min_price_strategy)],
  ['Mindestbewertung', ({ exclude_count_rank }) => leastWord(exclude_count_rank, '\u00a0%')],
  ['Mindestzahl Bewertungen', ({ exclude_count_reviews }) => leastWord(exclude_count_reviews, '')],
  ['Ausgeschlossene Verkäufer', ({ exclude_sellers }) => exclude_sellers.map(sellerWord).join(', ') || 'niemand'],
];

const sellerWord = ({ name, value }: ExcludedSeller) => (name.trim() === '' ? value : `${value} (${name.trim()})`);

/** Returns a field by its name, the result of a mapping by the mapping's. */
const fieldWord = ({ value }: PriceField) => value.replace(/^_mapping:/, 'Mapping ') || 'kein Feld';

/** '0.05' and 0.05 are both 5 cents; an invalid difference is shown unchanged. */
function differenceWord(value: string | number): string {
  const text = String(value).trim();
  if (text === '') return 'keine';
  const found = /^0(?:\.(\d{1,2}))?$/.exec(text);
  return found === null ? text : moneyText(Number((found[1] ?? '').padEnd(2, '0')));
}

const leastWord = (value: string | number, unit: string): string => (Number(value) === 0 ? 'keine' : `${value}${unit}`);

const aloneWord = (value: string | number) =>
  String(value) === '1'
    ? NON_COMPETITION_STRATEGIES[0].label
    : String(value) === '2'
      ? NON_COMPETITION_STRATEGIES[1].label
      : labelOf(NON_COMPETITION_STRATEGIES, value);

/** Returns the changes between two states of a master's repricing rules as German sentences. */
export function repricerRuleChanges(before: readonly RepricerRule[], after: readonly RepricerRule[]): string[] {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const is = new Set(after.map(({ id }) => id));
  const sentences = after.flatMap((rule) => {
    const old = was.get(rule.id);
    return old === undefined ? [`${nameOf(rule)} angelegt${rule.active ? '' : ' (pausiert)'}.`] : changesOf(old, rule);
  });
  for (const rule of before) if (!is.has(rule.id)) sentences.push(`${nameOf(rule)} gelöscht.`);
  const order = (one: readonly RepricerRule[], other: ReadonlySet<string>) =>
    one
      .filter(({ id }) => other.has(id))
      .map(({ id }) => id)
      .join();
  if (order(before, is) !== order(after, new Set(was.keys())))
    sentences.push('Reihenfolge der Repricing-Regeln geändert.');
  return sentences;
}

/** Describes one of two versions of a rule by what the other has differently; all of it in few words if there is no other. */
export function repricerRuleVersion(rule: RepricerRule, other: RepricerRule | null): string {
  const state = rule.active ? 'aktiv' : 'pausiert';
  if (other === null) return `${nameOf(rule)} (${state})`;
  const parts: string[] = [];
  if (rule.name !== other.name) parts.push(`Name ${quoted(rule.name)}`);
  if (rule.active !== other.active) parts.push(state);
  if (rule.description !== other.description) parts.push(`Beschreibung ${quoted(rule.description)}`);
  for (const [word, read] of words) {
    const text = read(rule.action);
    if (text !== read(other.action)) parts.push(`${word} ${quoted(text)}`);
  }
  return parts.length === 0 ? `${nameOf(rule)} (${state})` : parts.join(', ');
}

function changesOf(before: RepricerRule, after: RepricerRule): string[] {
  const sentences: string[] = [];
  const say = (text: string) => sentences.push(`${nameOf(after)}: ${text}`);
  if (before.name !== after.name) say(`hieß vorher ${quoted(before.name)}.`);
  if (before.active !== after.active) say(after.active ? 'aktiviert.' : 'pausiert.');
  if (before.description !== after.description) say('Beschreibung geändert.');
  for (const [word, read] of words) {
    const [from, to] = [read(before.action), read(after.action)];
    if (from !== to) say(`${word}: vorher ${quoted(from)}, jetzt ${quoted(to)}.`);
  }
  return sentences;
}
