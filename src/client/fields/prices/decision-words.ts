import { heldLabel } from '#shared/repricer/held.ts';
import type { Arithmetic, Competitor, RemovalReason } from '#shared/repricer/decision.ts';
import { removalCodes, removalReasons } from '#shared/repricer/decision.ts';
import type { PriceDecision } from '#shared/repricer/history.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatCount, formatTime, formatInteger } from '#client/ui/text/formats.ts';
import { reasonSentence } from './reason-words.ts';

/** A section of the explanation of a price: its title and sentences. */
export type Chapter = { title: string; sentences: string[] };

/** Sellers that a sentence names; further ones are only counted. */
const named = 6;

const causes: readonly [RegExp, string][] = [
  [/^offers:sweep/, 'Angebote beim Marktplatz nachgesehen'],
  [/^offers/, 'der Marktplatz meldete geänderte Angebote'],
  [/^catalogue/, 'neue Artikeldaten, Regeln oder Mappings'],
  [/^rule/, 'eine Regel wurde gespeichert'],
  [/^limits/, 'geänderte Preisgrenzen'],
  [/^switch/, 'ein Schalter wurde umgelegt'],
  [/^update/, 'der Kanal wurde von Hand aktualisiert'],
  [/^sales/, 'ungewöhnlich viele Bestellungen'],
  [/^release/, 'der Artikel wurde freigegeben'],
  [/^again/, 'erneuter Blick nach einer Wartezeit'],
];

type Money = (cents: number | null) => string;

/**
 * 'Warum dieser Preis?': returns the whole arithmetic of a decision, in its marketplace's currency, as German sentences in the
 * order of calculation.
 */
export function decisionChapters(decision: PriceDecision, currency: string): Chapter[] {
  const money: Money = (cents) => moneyText(cents, currency);
  const { arithmetic } = decision;
  const chapters = [
    { title: 'Anlass', sentences: occasion(decision) },
    { title: 'Grenzen', sentences: bounds(arithmetic, money) },
    { title: 'Angebote', sentences: offers(decision, money) },
    { title: 'Rechnung', sentences: sums(decision, money) },
    { title: 'Ergebnis', sentences: [reasonSentence(decision, currency)] },
    { title: 'Prüfung', sentences: verdict(decision, money) },
    { title: 'Versand', sentences: sending(decision) },
    { title: 'Aufzeichnung', sentences: record(decision) },
  ];
  return chapters.filter(({ sentences }) => sentences.length > 0);
}

function occasion({
  cause,
  ruleName,
  ruleRevision,
  snapshot,
  masterRules,
  mappings,
  offersAt,
}: PriceDecision): string[] {
  const restored = /^restore:(.*)$/s.exec(cause)?.[1];
  const known = causes.find(([beginning]) => beginning.test(cause))?.[1] ?? cause;
  const why = restored === undefined ? known : `letzte gute Preise wiederherstellen (${restored})`;
  const rule = ruleName.trim() === '' ? 'ohne Namen' : `„${ruleName}“`;
  return [
    `Auslöser: ${why}.`,
    `Regel ${rule} (Regelstand ${ruleRevision}), Artikeldaten aus Stand ${snapshot}${
      masterRules === 0 ? '' : `, Master-Regeln in Stand ${masterRules}`
    }${mappings === 0 ? '' : `, Mappings in Stand ${mappings}`}.`,
    ...(offersAt === null ? [] : [`Angebote vom ${formatTime(offersAt)}.`]),
  ];
}

function bounds(sum: Arithmetic, money: Money): string[] {
  const read = (word: string, cents: number | null) =>
    cents === null ? `${word} fehlt oder ist nicht lesbar` : `${word} ${money(cents)}`;
  const limits = [
    read('Mindestpreis', sum.min_cents),
    read('Standardpreis', sum.standard_given_cents ?? sum.standard_cents),
    read('Maximalpreis', sum.max_cents),
  ];
  const clamped = `Der Standardpreis liegt außerhalb der Grenzen; gerechnet wird mit ${money(sum.standard_cents)}.`;
  return [`${limits.join(', ')}.`, ...(sum.standard_clamped ? [clamped] : [])];
}

function offers({ reason, arithmetic: { competitors, removed } }: PriceDecision, money: Money): string[] {
  const total = competitors.length + removed.length;
  if (reason === 'HOLD_NO_OFFER_DATA') return ['Es liegen keine Angebotsdaten vor.'];
  // A decision that was held earlier has not evaluated any offers.
  if (total === 0) return reason.startsWith('HOLD_') ? [] : ['Niemand sonst bietet den Artikel an.'];
  const counted = `${formatCount(total, 'Angebot liegt', 'Angebote liegen')} vor; als Wettbewerber ${
    competitors.length === 1 ? 'zählt' : 'zählen'
  } ${competitors.length === 0 ? 'keines' : competitors.length}.`;
  const words = (offer: Offered) => offerWords(offer, money);
  const out = (code: RemovalReason) => removed.filter((offer) => offer.reason === code);
  return [
    counted,
    ...(competitors.length === 0 ? [] : [`Mit Versand, günstigste zuerst: ${list(competitors.map(words))}.`]),
    ...removalCodes.flatMap((code) =>
      out(code).length === 0 ? [] : [`Ausgelassen, ${removalReasons[code]}: ${list(out(code).map(words))}.`],
    ),
  ];
}

type Offered = { seller_id: string; landed_cents: number; is_buybox?: boolean };
const offerWords = ({ seller_id, landed_cents, is_buybox = false }: Offered, money: Money) =>
  `${seller_id} ${money(landed_cents)}${is_buybox ? ' (BuyBox)' : ''}`;

const list = (words: readonly string[]): string =>
  words.length > named
    ? `${words.slice(0, named).join('; ')} und ${formatCount(words.length - named, 'weiterer', 'weitere')}`
    : words.join('; ');

function sums({ arithmetic }: PriceDecision, money: Money): string[] {
  const { first_target: first, target, computed_cents: computed } = arithmetic;
  if (first === null || computed === null) return [];
  const sentences = [
    `Ziel ist ${targetWords(first, money)}.`,
    `${sumWords(arithmetic, first, money)} = ${money(computed)}.`,
  ];
  if (target === null || target.seller_id === first.seller_id) return sentences;
  return [
    ...sentences,
    `Statt seiner ist ${targetWords(target, money)} das Ziel: ${sumWords(arithmetic, target, money)}.`,
  ];
}

function targetWords(
  { seller_id, listing_cents, shipping_cents, landed_cents, is_buybox }: Competitor,
  money: Money,
): string {
  const shipping =
    shipping_cents === 0 ? 'ohne Versandkosten' : `${money(listing_cents)} + ${money(shipping_cents)} Versand`;
  return `${seller_id} mit ${money(landed_cents)} (${shipping}${is_buybox ? ', in der BuyBox' : ''})`;
}

const sumWords = ({ own_shipping_cents, diff_cents }: Arithmetic, { landed_cents }: Competitor, money: Money) =>
  `${money(landed_cents)} − ${money(own_shipping_cents ?? 0)} eigener Versand − ${money(
    diff_cents ?? 0,
  )} Preisdifferenz`;

function verdict({ verdict: word, held, price_cents, arithmetic, sent }: PriceDecision, money: Money): string[] {
  switch (word) {
    case 'none':
      return [];
    case 'submit':
      return ['Der Preis darf gesendet werden.'];
    case 'step':
      return [
        `Der Sprung von ${money(arithmetic.current_cents)} auf ${money(price_cents)} ist zu groß für einen Schritt${
          sent === null ? '' : `; zuerst geht es auf ${money(sent.price_cents)}`
        }.`,
      ];
    case 'unchanged':
      return ['Der Preis gilt schon; es ist nichts zu senden.'];
    case 'dry_run':
      return ['Probelauf: der Preis wurde berechnet, aber nicht gesendet.'];
    case 'hold':
      return [
        `Gehalten: ${heldLabel(held)}. Der Preis wurde nicht gesendet.`,
        ...(held === 'SALES_ALARM' ? ['Freigegeben wird der Artikel auf der Seite des Repricers.'] : []),
      ];
  }
}

function record({ program, seal }: PriceDecision): string[] {
  const by = program === '' ? '' : `Entschieden von Programmversion ${program}. `;
  if (seal === null) return [`${by}Noch nicht versiegelt; das geschieht etwa jede Minute.`];
  const checked =
    seal.verifiedAt === null
      ? 'seitdem noch nicht geprüft'
      : `unverändert, zuletzt geprüft am ${formatTime(seal.verifiedAt)}`;
  return [`${by}Versiegelt am ${formatTime(seal.sealedAt)} (Siegel ${seal.number}), ${checked}.`];
}

export type Tone = 'red' | 'yellow' | 'green' | 'gray' | 'blue';

const states = {
  new: { tone: 'blue', word: 'wartet', sentence: 'Der Preis wartet darauf, gesendet zu werden.' },
  sending: { tone: 'blue', word: 'wird gesendet', sentence: 'Der Preis wird gerade gesendet.' },
  accepted: {
    tone: 'blue',
    word: 'angenommen',
    sentence: 'Der Marktplatz hat den Preis angenommen, zeigt ihn aber noch nicht.',
  },
  live: { tone: 'green', word: 'gilt', sentence: 'Der Marktplatz zeigt diesen Preis.' },
  invalid: { tone: 'red', word: 'abgelehnt', sentence: 'Der Marktplatz hat den Preis nicht übernommen.' },
  unknown: {
    tone: 'yellow',
    word: 'ungeklärt',
    sentence: 'Es kam keine Antwort; ob der Preis gilt, wird nachgesehen, bevor noch einmal gesendet wird.',
  },
  held: { tone: 'yellow', word: 'gehalten', sentence: '' },
} as const;

function sending({ sent }: PriceDecision): string[] {
  if (sent === null) return [];
  const { sentence } = states[sent.state];
  return [
    sentence === '' ? `Gehalten: ${heldLabel(sent.held)}. Der Preis wurde nicht gesendet.` : sentence,
    ...(sent.sentAt === null
      ? []
      : [`Gesendet am ${formatTime(sent.sentAt)}${sent.sends > 1 ? `, ${formatInteger(sent.sends)} Mal` : ''}.`]),
    ...(sent.message === null || sent.message === '' ? [] : [`Meldung des Marktplatzes: ${sent.message}`]),
    ...sent.issues.map(({ code, message }) => `${message} (${code})`),
  ];
}

/** Returns the state of a price as one word and its colour. */
export function stateOf({ verdict: word, sent }: PriceDecision): { tone: Tone; word: string } {
  if (sent !== null) return states[sent.state];
  if (word === 'unchanged') return { tone: 'gray', word: 'unverändert' };
  if (word === 'dry_run') return { tone: 'yellow', word: 'Probelauf' };
  return word === 'none' ? { tone: 'gray', word: 'kein Preis' } : { tone: 'yellow', word: 'gehalten' };
}
