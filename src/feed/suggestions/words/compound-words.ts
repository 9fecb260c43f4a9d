/** The plain word for a German compound of a field's name, and the factor on the confidence for not being that word itself. */
type Plain = { readonly word: string; readonly weight: number };

const CLOSE = 0.94;
/** A short text is used if a catalogue has no other. */
const SHORT = 0.72;

/** Synonyms for whole words. */
const same: Readonly<Record<string, Plain>> = {
  beschreibungstext: { word: 'beschreibung', weight: CLOSE },
  infotext: { word: 'beschreibung', weight: SHORT },
  freitext: { word: 'beschreibung', weight: SHORT },
  kurztext: { word: 'beschreibung', weight: SHORT },
  kurzbeschreibung: { word: 'beschreibung', weight: SHORT },
  foto: { word: 'bild', weight: CLOSE },
  fotos: { word: 'bilder', weight: CLOSE },
  galerie: { word: 'bilder', weight: CLOSE },
  bildergalerie: { word: 'bilder', weight: CLOSE },
  zusatzbild: { word: 'bild', weight: CLOSE },
  zusatzbilder: { word: 'bilder', weight: CLOSE },
  lagerbestand: { word: 'bestand', weight: CLOSE },
  lagermenge: { word: 'bestand', weight: CLOSE },
};

/** Prefixes and suffixes that say where a value is or what it belongs to. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/^(.{4,}(?:ung|heit|keit|ion|taet))sfeld$/, '$1'],
  [/^(.{4,})(?:feld|spalte)$/, '$1'],
  [/^(bild|foto)(?:er)?(?:link|pfad|adresse|datei|url)s?$/, 'bild'],
  [/^(?:artikel|produkt)(?:bild|foto)$/, 'bild'],
  [/^(?:artikel|produkt)(?:bilder|fotos)$/, 'bilder'],
  [/^(?:artikel|produkt|shop)(link|url|preis)$/, '$1'],
  [/^(?:artikel|produkt)(farbe|gewicht|groesse|kategorie|marke|material|titel|zustand|text)$/, '$1'],
  [/^(.{4,})nr$/, '$1nummer'],
];

function plainOf(word: string): Plain | undefined {
  if (Object.hasOwn(same, word)) return same[word];
  const found = parts.find(([shape]) => shape.test(word));
  return found && { word: word.replace(...found), weight: CLOSE };
}

/** Replaces the compounds among a name's words by plain words; undefined if there are none. */
export function withoutCompounds(words: readonly string[]): { words: string[]; weight: number } | undefined {
  const plain = words.map(plainOf);
  if (plain.every((found) => found === undefined)) return undefined;
  return {
    words: words.map((word, index) => plain[index]?.word ?? word),
    weight: Math.min(...plain.map((found) => found?.weight ?? 1)),
  };
}
