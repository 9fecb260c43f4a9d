/** Words that join a price to what it is for: the name before them counts, as in 'Preis pro Einheit'. */
const joining = new Set(
  'pro je per ab für fuer bei for at auf inkl incl including excl exkl zzgl ohne mit with without of in der des'.split(
    ' ',
  ),
);
/** The last words of a name that add only a notation or a kind: 'Gewicht netto', 'Nettogewicht kg'. */
const measure = /^(?:kg|g|gr|mg|gramm|ml|cl|l|liter|mm|cm|m|m2|m3|qm|lb|oz)$/u;
const added = new RegExp(`^(?:netto|brutto|net|gross|eur|euro|chf|usd|gbp)$|${measure.source}`, 'u');
const firmPrice = /preis|price|kosten|cost|uvp|rrp|betrag|^[ev]k$/u;
/** Words that ask whether something is so. */
const asking = new Set('is has hat show hide zeige allow enable'.split(' '));
/** Words for numbers that are no money; a compound, too, is what its last word says. */
const otherThing = new RegExp(
  [
    // Amounts, units, and what else is measured.
    'menge|quantity|qty|anzahl|(?<!dis|ac)count|einheit|units?|gewicht|weight|inhalt|content|volumen?|fl(?:ä|ae)che|area',
    'l(?:ä|ae)nge|length|breite|width|(?<!preis|kosten)h(?:ö|oe)he|height|tiefe|depth|durchmesser|diameter',
    // Times.
    'datum|date|(?:^|versand|liefer)tage|days|zeit|zeitraum|time|g(?:ü|ue)ltig(?:keit)?|valid|stand',
    // Kinds, places in an order, and marks.
    'w(?:ä|ae)hrung|currency|(?<!kunden|h(?:ä|ae)ndler)gruppe|group|klasse|class|kategorie|category|stufe|level|rang|rank|typ|type|code|nr|nummer',
    'number|index|kennzeichen|kz|flag|status|aktiv|active|anzeigen|visible|sichtbar|bindung|gebunden|preisbasis|faktor|factor',
    'prozent|percent|steuersatz|stelle|center|tr(?:ä|ae)ger|version|dezimal(?:stellen)?|decimals|precision|frei|los(?:er?)?',
    '(?:^|preis|kosten|versand)(?:arte?n?|ids?|key)|preisliste|anfrage|request',
  ]
    .map((words) => `(?:${words})`)
    .join('|')
    .replace(/^/, '(?:')
    .replace(/$/, ')$'),
  'u',
);
/** Names that begin with one of these words are about it: 'Anzahl Preise'. */
const leading = /^(?:anzahl|datum|w(?:ä|ae)hrung)$/u;

/**
 * Whether a name with a word for money (price, costs, net) names something else: an amount, a unit, a weight, a date, a currency,
 * a group, a flag, as in `Preiseinheit`, `priceQuantity`, `Nettogewicht`.
 */
export function isOtherThanMoney(name: string): boolean {
  const words = wordsOf(name);
  if (asking.has(words[0] ?? '') || leading.test(words[0] ?? '') || words.at(-1) === 'anfrage') return true;
  const end = words.findIndex((word, index) => index > 0 && joining.has(word));
  const before = end < 0 ? words : words.slice(0, end);
  const head = before.findLast((word) => !added.test(word));
  // 'Netto (kg)' is a weight, 'Preis netto (kg)' the price of one.
  if (words.some((word) => measure.test(word)) && end < 0 && !words.some((word) => firmPrice.test(word))) return true;
  return head !== undefined && otherThing.test(head);
}

/** Splits `priceQuantity`, `PRICE_QUANTITY` and 'Preis/Menge' (the price of one) into words; text in brackets counts only if it is a measure. */
function wordsOf(name: string): string[] {
  const split = (text: string) =>
    text
      .replaceAll('/', ' je ')
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
  const [open = name, ...aside] = name.split(/[([{]/u);
  return [...split(open), ...aside.flatMap(split).filter((word) => measure.test(word))];
}
