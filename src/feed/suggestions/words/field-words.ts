import type { FieldType } from '#shared/channels/schema.ts';
import { stem } from './words.ts';

const stems = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stem));

/** Words that describe a value's notation, or that it is a name, but not its meaning. */
export const notation = new Set('eur euro usd chf kg g mm cm m de en wert value field feld c ns name'.split(' '));
/** Alone they may name a field, but within a longer name they say nothing about it. */
export const generic = stems(
  'name text id url link nr nummer number code typ type status state label format set unit count anzahl address adresse email',
);
/** Last parts of paths that have a meaning only together with the part before. */
export const sharedLeaf = stems(
  'name type types text id url link code status label unit value values address email amount quantity location role roles',
);
/** Words for a count of something else: pieces in stock or in a pack. */
export const vague = new Set(['count', 'anzahl']);

const quantities = stems('quantity qty menge anzahl count stock');
/** A longer name with one of these words is about that, not about its other words. */
const turning = stems(
  'einheit unit currency waehrung date datum factor faktor type typ order status code group gruppe min max from to von bis ' +
    'label title description beschreibung hinweis note variation initial old list rrp msrp statt streich ' +
    'review rating bewertung pack package packung verpackung karton sold verkauft view seiten',
);
/** A price with one of these words is not the customer's price, unless the name has a word of `included`. */
const wholesale = stems(
  'wholesale purchase purchasing cost costs ek einkauf einkaufs netto net nett tax taxes steuer mwst ust vat dealer haendler ' +
    'trade b2b grosshandel reseller supplier lieferant h',
);
/** Words saying that a price includes tax. */
const included = stems('incl including included inkl inklusive with mit gross brutto');

/** Whether a name of these words is about something other than a field named `known`. */
export function isTurned(words: readonly string[], known: readonly string[], type: FieldType): boolean {
  const more = words.filter((word) => !known.includes(word));
  if (more.some((word) => turning.has(word))) return true;
  // Only a number of pieces may be named like that.
  if (type !== 'integer' && more.some((word) => quantities.has(word))) return true;
  return type === 'price' && isWholesale(more);
}

/** Whether the words say that a price is not the customer's. */
export const isWholesale = (words: readonly string[]): boolean =>
  words.some((word) => wholesale.has(word)) && !words.some((word) => included.has(word));

/** Things other than the item: below one of them, `name` or `id` is that thing's. */
const others = stems(
  'manufacturer producer brand vendor supplier seller merchant tax vat category categories group parent unit currency customer shop store ' +
    'warehouse delivery shipping attribute attributes option options property properties tag tags country language ' +
    'fabrikat marke verkaeufer haendler mwst warengruppe gruppe waehrung eigenschaft merkmal lager land versand lieferzeit sprache',
);
/** German compounds of these are other things, too: `Herstellerdaten`, `Steuerklasse`, `Mengeneinheit`. */
const otherCompounds =
  /^(?:hersteller|lieferant|steuer|kategorie|marken|waehrungs|einheiten)|(?:hersteller|lieferant|kategorie|steuer|einheit)$/;
/** Below a picture or a file, an address or a title is the picture's; `src` says itself that it is a picture's. */
const media = stems(
  'bild bilder foto image images picture media cover thumbnail video document dokument datei download logo',
);
const mediaLeaf = stems('title titel caption description beschreibung bezeichnung alt');
/** Words for the item itself. */
const items = stems('product produkt article artikel item variation variant variante offer angebot');

const isOther = (word: string): boolean => others.has(stem(word)) || otherCompounds.test(word);
/** The last word decides: an `ItemManufacturer` is a manufacturer, a `SupplierArticle` an article. */
const isAboutItem = (words: readonly string[]): boolean => items.has(stem(words.at(-1) ?? '')) || !words.some(isOther);

/**
 * Whether the last part of a path is the property of something else than the item: `manufacturer.name`, `Bild 1 Pfad/URL`. `path`:
 * the words of the parts before it.
 */
export function belongsElsewhere(path: readonly (readonly string[])[], leaf: readonly string[]): boolean {
  // `Hersteller/Marke`, `tax.taxRate`: the last part says itself what it is about.
  if (leaf.some(isOther)) return false;
  const plain = leaf.filter((word) => !/^\d+$/.test(word)).map(stem);
  const bare = plain.join('');
  const telling = path.findLast((words) =>
    words.some((word) => items.has(stem(word)) || isOther(word) || media.has(stem(word))),
  );
  if (telling === undefined) return false;
  if (!isAboutItem(telling)) return true;
  return (sharedLeaf.has(bare) || mediaLeaf.has(bare)) && telling.some((word) => media.has(stem(word)));
}
