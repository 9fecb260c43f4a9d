const nothingStored = 'Es wurde nichts gespeichert.';

/** How files of other kinds begin that people mistake for a table, and what to do instead. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:PK[^\w ]{2}|\u00d0\u00cf.\u00e0)/s,
    `In der gepackten Datei (gz) liegt eine Arbeitsmappe oder ein weiteres Archiv. ${nothingStored} Bitte entpacken Sie sie und wählen Sie die Arbeitsmappe selbst.`,
  ],
  [
    /^\p{Cc}‹\p{Cc}/u,
    `Die Datei ist zweimal gepackt (gz). ${nothingStored} Bitte entpacken Sie sie ganz und wählen Sie die Datei, die darin liegt.`,
  ],
  [
    /^(?:.PNG\r|\u00ff\u00d8\u00ff|GIF8)/,
    `Die Datei ist ein Bild. ${nothingStored} Bitte exportieren Sie die Bestellungen als CSV.`,
  ],
  [
    /^%PDF-/,
    `Die Datei ist ein PDF. Gelesen werden CSV-Tabellen, openTRANS und Bestellungen einiger Marktplätze als XML oder JSON. ${nothingStored} Bitte exportieren Sie die Bestellungen als CSV.`,
  ],
  [
    /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html)\b/is,
    `Die Datei ist eine Webseite (HTML), kein Export: Oft war die Anmeldung beim Herunterladen abgelaufen. ${nothingStored} Bitte laden Sie die Datei noch einmal herunter.`,
  ],
  [/^$/, `Die Datei ist leer. ${nothingStored}`],
];

/** Characters of a file that are enough to recognise its kind. */
const START = 1000;

/**
 * Returns a text on what a file is that is no table of orders; undefined if unknown. Any number of empty lines may come first.
 */
export function otherKind(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bytes).replace(/^\u00ef\u00bb\u00bf/, '');
  const start = text.trimStart().slice(0, START);
  return kinds.find(([shape]) => shape.test(start))?.[1];
}
