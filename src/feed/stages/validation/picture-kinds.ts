import { refused, type Kind } from './kind.ts';

/** Kinds of problems that require loading the pictures (feed/images). */
export const pictureKinds = {
  image_gone: {
    severity: 'error',
    sentence: ({ field }) => `Ein Bild in „${field}“ ist nicht erreichbar.`,
    means: refused,
    todo: () => 'Öffnen Sie die Adresse im Browser. Berichtigen Sie sie im Katalog, oder hinterlegen Sie das Bild.',
  },
  image_small: {
    severity: 'error',
    sentence: ({ field, detail }) => `Ein Bild in „${field}“ ist zu klein. Erwartet: ${detail}.`,
    means: refused,
    todo: () => 'Liefern Sie ein größeres Bild. Vergrößern mit einem Programm hilft selten.',
  },
  image_heavy: {
    severity: 'warning',
    sentence: ({ field, detail }) => `Ein Bild in „${field}“ ist größer als ${detail}.`,
    means: refused,
    todo: () => 'Speichern Sie das Bild stärker komprimiert.',
  },
  no_image: {
    severity: 'error',
    sentence: ({ field }) => `Unter einer Adresse in „${field}“ liegt kein Bild, das der Kanal nimmt.`,
    means: refused,
    todo: () => 'Oft ist es eine Fehlerseite oder ein anderes Format. Öffnen Sie die Adresse im Browser.',
  },
} as const satisfies Record<string, Kind>;
