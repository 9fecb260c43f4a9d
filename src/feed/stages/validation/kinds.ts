import { refused, type Kind, type Words } from './kind.ts';
import { INTERNAL_FIELDS } from '#shared/assignments/schema.ts';
import { pictureKinds } from './picture-kinds.ts';

const RUNNING_NUMBER = INTERNAL_FIELDS.find(({ value }) => value === 'index')?.name;

const degraded = ({ channel }: Words) =>
  `${channel} nimmt den Artikel meist an, zeigt ihn aber schlechter oder seltener.`;
const ignored = ({ channel }: Words) =>
  `${channel} kann den Wert nicht lesen und lässt ihn oder den ganzen Artikel weg.`;
const source = ({ field }: Words) =>
  `Berichtigen Sie den Wert im Katalog oder mit einer Regel, oder wählen Sie für „${field}“ eine andere Quelle.`;
const ways = 'im Katalog oder mit einer Regel, oder wählen Sie im Feldaufbau eine Quelle oder einen festen Wert';
const shorten = () => 'Kürzen Sie mit einer Regel („Text kürzen“) oder wählen Sie eine kürzere Quelle.';

/** All kinds of problems, one definition each. They are detected in field-checks.ts and item-checks.ts. */
export const kinds = {
  missing: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ ist leer, ${detail || 'ist aber ein Pflichtfeld'}.`,
    means: refused,
    todo: ({ field }) =>
      field === RUNNING_NUMBER
        ? `Wählen Sie im Feldaufbau als Quelle das interne Feld „${field}“; Kontor zählt dann selbst.`
        : `Füllen Sie „${field}“ ${ways}.`,
  },
  maybe_missing: {
    severity: 'warning',
    sentence: ({ field, detail }) => `„${field}“ ist leer. Es ist Pflicht ${detail}.`,
    means: ({ channel }) =>
      `Ob der Artikel darunter fällt, kann Kontor nicht erkennen. Fällt er darunter, lehnt ${channel} ihn ab.`,
    todo: ({ field }) => `Füllen Sie „${field}“ bei den Artikeln, die darunter fallen.`,
  },
  recommended: {
    severity: 'hint',
    sentence: ({ field, detail }) => `„${field}“ ist leer. Das Feld ist empfohlen${detail ? `: ${detail}` : ''}.`,
    means: degraded,
    todo: ({ field }) => `Füllen Sie „${field}“, soweit die Angabe vorliegt.`,
  },
  too_long: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ ist länger als ${detail} Zeichen.`,
    means: ({ channel }) => `${channel} schneidet den Text ab oder lehnt den Artikel ab.`,
    todo: shorten,
  },
  huge: {
    severity: 'warning',
    sentence: ({ field, detail }) => `„${field}“ ist mit mehr als ${detail} Zeichen ungewöhnlich lang.`,
    means: () => 'Meist ist das ein Fehler der Quelle, etwa eine ganze Seite statt eines Textes.',
    todo: shorten,
  },
  too_short: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ ist kürzer als ${detail} Zeichen.`,
    means: refused,
    todo: source,
  },
  value: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ hat einen Wert, den der Kanal nicht kennt. Erlaubt: ${detail}.`,
    means: ignored,
    todo: () => 'Übersetzen Sie den Wert mit einem Mapping oder einer Regel in einen der erlaubten.',
  },
  placeholder: {
    severity: 'warning',
    sentence: ({ field }) => `„${field}“ sagt nur, dass es keinen Wert gibt („keine Angabe“, „-“).`,
    means: ({ channel }) => `${channel} zeigt das den Kunden als Wert oder lehnt den Artikel ab.`,
    todo: ({ field }) =>
      `Füllen Sie „${field}“ im Katalog oder mit einer Regel, oder schließen Sie solche Artikel aus.`,
  },
  pattern: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ ist anders geschrieben als verlangt. Erwartet: ${detail}.`,
    means: ignored,
    todo: source,
  },
  not_number: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist keine Zahl.`,
    means: ignored,
    todo: source,
  },
  not_integer: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist keine ganze Zahl.`,
    means: ignored,
    todo: source,
  },
  number_mark: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ hat das falsche Dezimalzeichen. Erwartet: ${detail}.`,
    means: ({ channel }) => `${channel} liest die Zahl falsch oder gar nicht.`,
    todo: () => 'Stellen Sie in den Einstellungen des Exports das Dezimalzeichen des Kanals ein.',
  },
  not_price: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist kein Preis.`,
    means: refused,
    todo: source,
  },
  price_unclear: {
    severity: 'warning',
    sentence: ({ field, detail }) =>
      `„${field}“ ist so geschrieben, dass zwei Preise gemeint sein können: 1.299 ist 1.299,00 oder rund 1,30. ${detail}`,
    means: () => 'Ist das falsch gelesen, geht ein Preis hinaus, der tausendmal zu niedrig oder zu hoch ist.',
    todo: () =>
      'Schreiben Sie die Preise im Katalog mit zwei Nachkommastellen (1299,00) oder mit Währung (1.299 €), oder entfernen Sie den Tausenderpunkt mit einer Regel („Ersetzen“).',
  },
  price_spelling: {
    severity: 'error',
    sentence: ({ field, detail }) =>
      `„${field}“ ist anders geschrieben, als der Kanal Preise verlangt. Erwartet: ${detail}.`,
    means: ignored,
    todo: () => 'Stellen Sie in den Einstellungen des Exports die Schreibweise der Preise auf die des Kanals.',
  },
  negative: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist negativ.`,
    means: refused,
    todo: source,
  },
  zero: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist 0.`,
    means: ({ channel }) => `${channel} lehnt den Artikel ab, oder er wird verschenkt.`,
    todo: ({ field }) => `Schließen Sie Artikel ohne „${field}“ mit einer Regel aus, oder berichtigen Sie den Katalog.`,
  },
  too_small: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ ist kleiner als ${detail}.`,
    means: refused,
    todo: source,
  },
  too_large: {
    severity: 'error',
    sentence: ({ field, detail }) => `„${field}“ ist größer als ${detail}.`,
    means: refused,
    todo: source,
  },
  not_boolean: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist weder ja noch nein.`,
    means: ignored,
    todo: source,
  },
  not_date: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist kein Datum. Erwartet: 2026-11-27 oder 2026-11-27T09:00+01:00.`,
    means: ignored,
    todo: source,
  },
  not_measure: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist keine Zahl mit Einheit. Erwartet: zum Beispiel 500 g.`,
    means: ignored,
    todo: source,
  },
  no_unit: {
    severity: 'error',
    sentence: ({ field }) => `In „${field}“ fehlt die Einheit.`,
    means: ignored,
    todo: () => 'Hängen Sie die Einheit im Feldaufbau (Kombination) oder mit einer Regel an, zum Beispiel „ kg“.',
  },
  not_address: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ ist keine vollständige Adresse. Erwartet: https://…`,
    means: refused,
    todo: () =>
      'Stellen Sie mit einer Regel oder einer Kombination den Anfang der Adresse voran, zum Beispiel „https://www.ihr-shop.de“.',
  },
  bad_address: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ enthält Leerzeichen oder unerlaubte Zeichen, oder der Name des Servers fehlt.`,
    means: refused,
    todo: source,
  },
  placeholder_image: {
    severity: 'warning',
    sentence: ({ field }) => `„${field}“ sieht nach einem Platzhalter aus („kein Bild“).`,
    means: ({ channel }) => `${channel} duldet Platzhalter nicht und lehnt den Artikel ab, wenn es ihn erkennt.`,
    todo: () => 'Hinterlegen Sie ein Bild des Artikels, oder schließen Sie solche Artikel aus.',
  },
  gtin_letters: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ besteht nicht nur aus Ziffern.`,
    means: refused,
    todo: () =>
      'Steht dort 4,01E+12, hat ein Tabellenprogramm die Nummer zerstört: exportieren Sie die Spalte als Text.',
  },
  gtin_length: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ hat nicht 8, 12, 13 oder 14 Ziffern.`,
    means: refused,
    todo: () => 'Oft fehlen führende Nullen. Ergänzen Sie sie, oder lassen Sie das Feld leer, wenn es keine GTIN gibt.',
  },
  gtin_digit: {
    severity: 'error',
    sentence: ({ field }) => `Die Prüfziffer von „${field}“ stimmt nicht.`,
    means: refused,
    todo: () =>
      'Die Nummer ist vertippt oder erfunden. Lassen Sie sich die richtige vom Hersteller geben, oder leeren Sie das Feld.',
  },
  gtin_internal: {
    severity: 'warning',
    sentence: ({ field }) => `„${field}“ ist eine hausinterne Nummer (beginnt mit 02, 04 oder 2).`,
    means: ({ channel }) => `Solche Nummern sind nicht weltweit eindeutig; ${channel} lehnt sie meist ab.`,
    todo: () => 'Verwenden Sie die GTIN des Herstellers, oder leeren Sie das Feld.',
  },
  html: {
    severity: 'warning',
    sentence: ({ field }) => `„${field}“ enthält HTML, das hier nicht erlaubt ist.`,
    means: ({ channel }) => `${channel} zeigt die Tags als Text oder lehnt den Artikel ab.`,
    todo: () =>
      'Schalten Sie in den Einstellungen des Exports „HTML entfernen“ ein, oder wählen Sie eine Quelle ohne HTML.',
  },
  broken_html: {
    severity: 'warning',
    sentence: ({ field }) => `Das HTML in „${field}“ bricht mitten in einem Tag ab.`,
    means: degraded,
    todo: () =>
      'Meist hat eine Regel oder die Quelle den Text gekürzt. Kürzen Sie Texte ohne HTML, oder erhöhen Sie die Länge.',
  },
  foreign_html: {
    severity: 'warning',
    sentence: ({ field }) => `„${field}“ enthält Skripte, Stilangaben oder eingebettete Seiten.`,
    means: degraded,
    todo: source,
  },
  control: {
    severity: 'warning',
    sentence: ({ field }) => `„${field}“ enthält Steuerzeichen.`,
    means: () => 'Sie stehen so in der Datei und stören das Einlesen beim Kanal.',
    todo: () => 'Entfernen Sie sie im Katalog oder mit einer Regel („Ersetzen mit regulärem Ausdruck“).',
  },
  mojibake: {
    severity: 'warning',
    sentence: ({ field }) => `„${field}“ enthält zerstörte Zeichen wie „Ã¤“ oder „\uFFFD“.`,
    means: degraded,
    todo: () =>
      'Die Datei wurde vermutlich mit dem falschen Zeichensatz gelesen oder geschrieben. Prüfen Sie den Zeichensatz im Import.',
  },
  too_many: {
    severity: 'warning',
    sentence: ({ field, detail }) => `„${field}“ hat mehr als ${detail} Werte.`,
    means: ({ channel }) => `${channel} beachtet nur die ersten oder lehnt das Feld ab.`,
    todo: () => 'Nehmen Sie im Feldaufbau weniger Werte in die Liste auf.',
  },
  left_out: {
    severity: 'warning',
    sentence: ({ field, detail }) => `In „${field}“ stehen mehrere Bilder in einer Zelle; hinaus geht ${detail}.`,
    means: ({ channel }) => `Die übrigen Bilder fehlen bei ${channel}, wenn kein anderes Feld sie nennt.`,
    todo: () => 'Weisen Sie dieselbe Quelle auch dem Feld für weitere Bilder zu, wenn der Kanal eines hat.',
  },
  separator: {
    severity: 'warning',
    sentence: ({ field, detail }) => `Ein Wert von „${field}“ enthält das Trennzeichen „${detail}“.`,
    means: ({ channel }) => `${channel} liest daraus zwei Werte.`,
    todo: () => 'Ersetzen Sie das Zeichen mit einer Regel, oder wählen Sie im Feldaufbau ein anderes Trennzeichen.',
  },
  together: {
    severity: 'error',
    sentence: ({ field, detail }) => `${detail} (${field})`,
    // The template decides how severe such a problem is.
    means: (words) => (words.severity === 'error' ? refused(words) : degraded(words)),
    todo: ({ field }) => `Füllen oder berichtigen Sie „${field}“ ${ways}.`,
  },
  twice: {
    severity: 'error',
    sentence: ({ field }) => `„${field}“ kommt bei mehreren Artikeln mit demselben Wert vor.`,
    means: ({ channel }) => `${channel} behält nur einen davon oder lehnt alle ab.`,
    todo: ({ field }) => `Jeder Artikel braucht einen eigenen Wert in „${field}“.`,
  },
  capitals: {
    severity: 'hint',
    sentence: ({ field }) => `„${field}“ ist ganz in Großbuchstaben geschrieben.`,
    means: degraded,
    todo: source,
  },
  promotion: {
    severity: 'hint',
    sentence: ({ field }) => `„${field}“ enthält Werbung wie „versandkostenfrei“ oder „!!!“.`,
    means: degraded,
    todo: () => 'Titel sollen den Artikel nennen. Entfernen Sie die Werbung mit einer Regel.',
  },
  ...pictureKinds,
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;
