import type { SaveImpact } from '#shared/diagnosis/save-impact.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

export type SaveImpactWords = {
  /** `danger`: items without errors get errors, or a file of the whole catalogue changes. */
  level: 'danger' | 'quiet' | 'none';
  sentences: readonly string[];
};

/** Describes the effect of a save on the items, in sentences, the worst first. */
export function saveImpactWords({ before, after, omitInvalid }: SaveImpact): SaveImpactWords {
  const [was, is] = [before.readiness?.errors ?? 0, after.readiness?.errors ?? 0];
  const items = after.readiness?.items ?? before.readiness?.items ?? 0;
  const sentences: string[] = [];
  if (is > was) {
    sentences.push(
      omitInvalid
        ? `${formatInteger(is - was)} von ${formatCount(items, 'Artikel', 'Artikeln')} ${is - was === 1 ? 'fällt' : 'fallen'} heraus, weil ihnen danach Pflichtangaben fehlen oder Werte nicht passen.`
        : `${formatInteger(is)} von ${formatCount(items, 'Artikel', 'Artikeln')} ${is === 1 ? 'hat' : 'haben'} danach Fehler${was === 0 ? '' : ` (jetzt ${formatInteger(was)})`}.`,
    );
  }
  if (before.passesThrough && !after.passesThrough) {
    sentences.push(
      `Die Datei enthält danach nur noch ${formatCount(after.fields, 'Feld', 'Felder')} dieses Aufbaus statt aller ${formatInteger(before.fields)} Felder des Katalogs.`,
    );
  }
  if (!before.passesThrough && after.passesThrough) {
    sentences.push(
      `Ohne Quellen gibt der Export alle ${formatInteger(after.fields)} Felder des Katalogs unverändert aus statt ${formatCount(before.fields, 'Feld', 'Felder')} dieses Aufbaus.`,
    );
  }
  if (sentences.length > 0) return { level: 'danger', sentences };
  if (is < was) {
    const words = `${formatInteger(was - is)} Artikel mit Fehlern weniger: danach ${is === 0 ? 'keiner mehr' : `noch ${formatInteger(is)}`}.`;
    return { level: 'quiet', sentences: [words] };
  }
  return {
    level: 'none',
    sentences: [
      is === 0
        ? 'Kein Artikel bekommt dadurch Fehler.'
        : `Es bleibt bei ${formatCount(is, 'Artikel', 'Artikeln')} mit Fehlern.`,
    ],
  };
}
