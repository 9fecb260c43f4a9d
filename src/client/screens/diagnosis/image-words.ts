import { MOST_IMAGE_COLUMNS, type ImagesState } from '#shared/diagnosis/schema.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

const enumerated = new Intl.ListFormat('de');

/** Says which pictures are checked, and which are not. */
export function imageWords({ addresses, open, unchecked }: ImagesState): string {
  if (addresses === null || open === null)
    return 'Noch nicht geprüft, ob die Bilder erreichbar und groß genug sind. Danach geschieht es nach jedem Lauf von selbst.';
  const all = `${formatInteger(addresses - open)} von ${formatCount(addresses, 'Bild', 'Bildern')} geprüft`;
  const sentences = [
    open === 0
      ? `${all}.`
      : `${all}, ${formatInteger(open)} noch nicht. Aus Rücksicht auf fremde Server kommen je Prüfung höchstens 2.000 neue Bilder an die Reihe.`,
    ...(unchecked.length === 0
      ? []
      : [
          `Die Bilder in ${enumerated.format(unchecked.map((title) => `„${title}“`))} werden nicht geprüft: Geprüft werden die ersten ${MOST_IMAGE_COLUMNS} Bildspalten des Exports.`,
        ]),
  ];
  return sentences.join(' ');
}
