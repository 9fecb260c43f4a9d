import { heldLabel } from '#shared/repricer/held.ts';
import type { Arithmetic, Competitor, RemovalReason } from '#shared/repricer/decision.ts';
import { removalCodes, removalReasons } from '#shared/repricer/decision.ts';
import type { PriceDecision } from '#shared/repricer/history.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatCount, formatTime, formatInteger } from '#client/ui/text/formats.ts';
import { reasonSentence } from './reason-words.ts';

/** A part of the way to a price: what it is called, and its sentences. */
export type Chapter = { title: string; sentences: string[] };

/** Sellers that a sentence names; the rest is counted. */
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

/** 'Warum dieser Preis?': the whole arithmetic of a decision as German sentences, in the order it was made. */
export function decisionChapters(decision: PriceDecision): Chapter[] {
  const { arithmetic } = decision;
  const chapters = [
    { title: 'Anlass', sentences: occasion(decision) },
    { title: 'Grenzen', sentences: bounds(arithmetic) },
    { title: 'Angebote', sentences: offers(decision) },
    { title: 'Rechnung', sentences: sums(decision) },
    { title: 'Ergebnis', sentences: [reasonSentence(decision)] },
    { title: 'Prüfung', sentences: verdict(decision) },
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

function bounds(sum: Arithmetic): string[] {
  const read = (word: string, cents: number | null) =>
    cents === null ? `${word} fehlt oder ist nicht lesbar` : `${word} ${moneyText(cents)}`;
  const limits = [
    read('Mindestpreis', sum.min_cents),
    read('Standardpreis', sum.standard_given_cents ?? sum.standard_cents),
    read('Maximalpreis', sum.max_cents),
  ];
  const clamped = `Der Standardpreis liegt außerhalb der Grenzen; gerechnet wird mit ${moneyText(sum.standard_cents)}.`;
  return [`${limits.join(', ')}.`, ...(sum.standard_clamped ? [clamped] : [])];
}

function offers({ reason, arithmetic: { competitors, removed } }: PriceDecision): string[] {
  const total = competitors.length + removed.length;
  if (reason === 'HOLD_NO_OFFER_DATA') return ['Es liegen keine Angebotsdaten vor.'];
  // A decision that ended before has looked at none.
  if (total === 0) return reason.startsWith('HOLD_') ? [] : ['Niemand sonst bietet den Artikel an.'];
  const counted = `${formatCount(total, 'Angebot liegt', 'Angebote liegen')} vor; als Wettbewerber ${
    competitors.length === 1 ? 'zählt' : 'zählen'
  } ${competitors.length === 0 ? 'keines' : competitors.length}.`;
  const out = (code: RemovalReason) => removed.filter((offer) => offer.reason === code);
  return [
    counted,
    ...(competitors.length === 0 ? [] : [`Mit Versand, günstigste zuerst: ${list(competitors.map(offerWords))}.`]),
    ...removalCodes.flatMap((code) =>
      out(code).length === 0 ? [] : [`Ausgelassen, ${removalReasons[code]}: ${list(out(code).map(offerWords))}.`],
    ),
  ];
}

type Offered = { seller_id: string; landed_cents: number; is_buybox?: boolean };
const offerWords = ({ seller_id, landed_cents, is_buybox = false }: Offered) =>
  `${seller_id} ${moneyText(landed_cents)}${is_buybox ? ' (BuyBox)' : ''}`;

const list = (words: readonly string[]): string =>
  words.length > named
    ? `${words.slice(0, named).join('; ')} und ${formatCount(words.length - named, 'weiterer', 'weitere')}`
    : words.join('; ');

function sums({ arithmetic }: PriceDecision): string[] {
  const { first_target: first, target, computed_cents: computed } = arithmetic;
  if (first === null || computed === null) return [];
  const sentences = [`Ziel ist ${targetWords(first)}.`, `${sumWords(arithmetic, first)} = ${moneyText(computed)}.`];
  if (target === null || target.seller_id === first.seller_id) return sentences;
  return [...sentences, `Statt seiner ist ${targetWords(target)} das Ziel: ${sumWords(arithmetic, target)}.`];
}

function targetWords({ seller_id, listing_cents, shipping_cents, landed_cents, is_buybox }: Competitor): string {
  const shipping =
    shipping_cents === 0 ? 'ohne Versandkosten' : `${moneyText(listing_cents)} + ${moneyText(shipping_cents)} Versand`;
  return `${seller_id} mit ${moneyText(landed_cents)} (${shipping}${is_buybox ? ', in der BuyBox' : ''})`;
}

const sumWords = ({ own_shipping_cents, diff_cents }: Arithmetic, { landed_cents }: Competitor) =>
  `${moneyText(landed_cents)} − ${moneyText(own_shipping_cents ?? 0)} eigener Versand − ${moneyText(
    diff_cents ?? 0,
  )} Preisdifferenz`;

function verdict({ verdict: word, held, price_cents, arithmetic, sent }: PriceDecision): string[] {
  switch (word) {
    case 'none':
      return [];
    case 'submit':
      return ['Der Preis darf gesendet werden.'];
    case 'step':
      return [
        `Der Sprung von ${moneyText(arithmetic.current_cents)} auf ${moneyText(price_cents)} ist zu groß für einen Schritt${
          sent === null ? '' : `; zuerst geht es auf ${moneyText(sent.price_cents)}`
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

/** Where a price stands, in one word and its colour. */
export function stateOf({ verdict: word, sent }: PriceDecision): { tone: Tone; word: string } {
  if (sent !== null) return states[sent.state];
  if (word === 'unchanged') return { tone: 'gray', word: 'unverändert' };
  if (word === 'dry_run') return { tone: 'yellow', word: 'Probelauf' };
  return word === 'none' ? { tone: 'gray', word: 'kein Preis' } : { tone: 'yellow', word: 'gehalten' };
}
