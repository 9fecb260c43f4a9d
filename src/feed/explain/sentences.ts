import type { ExplainedRule, RulePlace } from '#shared/explain/schema.ts';
import { quoted } from '#shared/rules/sentences.ts';
import { integerText } from '#shared/values/integer-text.ts';

const dateTime = new Intl.DateTimeFormat('de-DE', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Europe/Berlin',
});
/** A time in Berlin: 20.11.2026, 16:04. */
export const timeWords = (time: Date | number): string => dateTime.format(time);

/** A value in quotes, '„10,92“', or 'leer' for none. */
export const valueWords = (value: string | null): string => (value === null ? 'leer' : quoted(value));

/** The display name of a rule: Master-Regel 3 „ohne Bild raus“ */
export function ruleWords({ scope, number, name }: RulePlace): string {
  const ruleName = `${scope === 'master' ? 'Master' : 'Export'}-Regel ${number}`;
  return name.trim() === '' ? ruleName : `${ruleName} ${quoted(name)}`;
}

/** Says which rule excludes the item and why, as the end of a sentence; 'denn' keeps the German main-clause word order. */
export function exclusionWords(rule: ExplainedRule): string {
  const reasons = rule.conditions
    .filter(({ sentence }) => sentence !== 'alle Artikel')
    .map(({ sentence, value, field }) => {
      const shown = value !== null && !sentence.endsWith(quoted(value)) && field !== '@ALL@';
      return shown ? `${sentence} (Wert: ${quoted(value)})` : sentence;
    });
  return `${ruleWords(rule)} schließt ihn aus, denn ${reasons.length === 0 ? 'sie gilt für alle Artikel' : reasons.join(' und ')}.`;
}

type Presence = {
  itemId: string;
  exportName: string | undefined;
  excluding: ExplainedRule | undefined;
  /** Errors for which the export omits the item. */
  errors?: readonly string[];
  at?: Date;
};

/** The most errors in one sentence. */
const MOST_ERRORS = 3;

/** Says in one sentence whether the item is exported, and why. `at`: the time of a past run. */
export function reasonSentence({ itemId, exportName, excluding, errors = [], at }: Presence): string {
  const item = at ? `Im Lauf vom ${timeWords(at)} ist Artikel ${itemId}` : `Artikel ${itemId} ist`;
  if (exportName === undefined) {
    return excluding
      ? `Artikel ${itemId} fällt in allen Exporten weg: ${exclusionWords(excluding)}`
      : `Artikel ${itemId} ist im Katalog, und keine Master-Regel schließt ihn aus.`;
  }
  const where = `im Export ${quoted(exportName)}`;
  if (excluding) return `${item} nicht ${where}: ${exclusionWords(excluding)}`;
  if (errors.length === 0) return `${item} ${where}.`;
  const more = errors.length - MOST_ERRORS;
  const rest = more > 0 ? [`Dazu ${more === 1 ? 'kommt ein weiterer' : `kommen ${more} weitere`} Fehler.`] : [];
  return `${item} nicht ${where}, denn dieser lässt Artikel mit Fehlern aus. ${[...errors.slice(0, MOST_ERRORS), ...rest].join(' ')}`;
}

/** A stored snapshot as sentences name it. */
export type Seen = { number: number; createdAt: Date };

/** Says since when an item is missing from the requested snapshot, or from when on it existed. */
export function absentSentence(
  itemId: string,
  {
    used,
    last,
    missingSince,
    live,
  }: { used: Seen; last: Seen | undefined; missingSince: Seen | undefined; live: boolean },
): string {
  if (!last) {
    return `Artikel ${itemId} war im Artikelstand ${used.number} vom ${timeWords(used.createdAt)} noch nicht enthalten; er kam erst später dazu.`;
  }
  const since = missingSince ?? used;
  const still = live ? 'fehlt' : 'fehlte damals';
  return `Artikel ${itemId} ${still} seit dem Import vom ${timeWords(since.createdAt)} (Stand ${since.number}). Zuletzt war er im Stand ${last.number} vom ${timeWords(last.createdAt)}.`;
}

/** Says that an item missing from the catalogue is not in one export either. */
export const notInExport = (itemId: string, exportName: string, missing: string): string =>
  `Artikel ${itemId} ist nicht im Export ${quoted(exportName)}: ${missing.replace(`Artikel ${itemId}`, 'er')}`;

type FieldWay = {
  name: string;
  exportName: string | undefined;
  kind: 'export' | 'catalogue';
  value: string | null;
  /** Raw values of the fields it was made of. */
  raw: readonly { field: string; value: string | null }[];
  /** The changes by rules, mappings and tables in order, in words. */
  changes: readonly string[];
  fixed: boolean;
  /** Sources that exist neither in the import nor from a rule. */
  gone: readonly string[];
};

const mostSteps = 6;

/** „Preis im Export „idealo“ ist „12,99“: Rohwert „10,92“ → Master-Regel 4 „Aufschlag“: „12,99“ → Feldaufbau price“ */
export function fieldSentence(way: FieldWay): string {
  const { name, exportName, kind, value, raw, changes, fixed, gone } = way;
  const head = `${name}${exportName === undefined ? ' im Katalog' : ` im Export ${quoted(exportName)}`} ist ${valueWords(value)}`;
  if (fixed) return `${head}: fester Text im Feldaufbau.`;
  if (raw.length + changes.length === 0 && value === null) {
    return gone.length === 0
      ? `${head}: im Feldaufbau ist keine Quelle gewählt.`
      : `${head}: ${gone.map(quoted).join(' und ')} gibt es weder im Import noch aus einer Regel.`;
  }
  const shown = changes.length > mostSteps ? folded(changes) : changes;
  const steps = [...rawSteps(raw, name), ...shown, ...(kind === 'export' ? [`Feldaufbau ${name}`] : [])];
  if (changes.length === 0 && kind === 'catalogue') return `${head}: unverändert aus dem Import.`;
  return `${head}: ${steps.join(' → ')}.`;
}

function rawSteps(raw: FieldWay['raw'], fieldName: string): string[] {
  const [first, ...more] = raw;
  if (!first) return [];
  if (more.length === 0) {
    return [`Rohwert ${first.field === fieldName ? '' : `von ${first.field} `}${valueWords(first.value)}`];
  }
  const named = raw.slice(0, 3).map(({ field, value }) => `${field} ${valueWords(value)}`);
  const rest = raw.length - named.length;
  return [`Rohwerte ${named.join(', ')}${rest > 0 ? ` und ${integerText(rest)} weitere` : ''}`];
}

/** The changes that a rule made to the requested field and to the fields it is made of. */
export function ruleSteps(rule: ExplainedRule, fieldName: string): string[] {
  if (rule.state !== 'held' || !rule.concerns) return [];
  const own = rule.changes.filter(
    ({ concerns, before, after, notCalculated }) => concerns && (before !== after || notCalculated),
  );
  return own.map(({ field, before, after, notCalculated }) => {
    const result = !notCalculated
      ? valueWords(after)
      : before === after
        ? 'nicht berechenbar'
        : `${valueWords(after)} (nicht alles daran war berechenbar)`;
    return `${ruleWords(rule)}: ${field === fieldName ? '' : `${field} `}${result}`;
  });
}

function folded(steps: readonly string[]): string[] {
  const half = mostSteps / 2;
  return [...steps.slice(0, half), `${steps.length - mostSteps} weitere Schritte`, ...steps.slice(-half)];
}
