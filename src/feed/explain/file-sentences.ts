import { integerText } from '#shared/values/integer-text.ts';
import type { CauseKind, ExplainedFile } from '#shared/explain/schema.ts';
import { timeWords, type Seen } from './sentences.ts';

const nouns: Record<Exclude<CauseKind, 'import'>, string> = {
  masterRules: 'die Master-Regeln',
  mappings: 'die Mappings',
  stock: 'der Bestand für diesen Kanal',
  exportRules: 'die Export-Regeln',
  tables: 'Kategorien, Marken oder Farben',
  construction: 'der Feldaufbau',
  attributes: 'die Attribute',
  settings: 'die Einstellungen des Exports',
};
const plural = new Set<CauseKind>(['masterRules', 'mappings', 'exportRules', 'tables', 'attributes', 'settings']);

/** The last save of a document. */
export type Save = { author: string; createdAt: Date };

/** Says in German what changed since a file: 'wurden die Master-Regeln geändert (zuletzt am … von …)', to follow 'seitdem'. */
export function causeSentence(kind: CauseKind, snapshot: Seen, save: Save | undefined): string {
  if (kind === 'import') return `kam der Import vom ${timeWords(snapshot.createdAt)} (Stand ${snapshot.number})`;
  const last = save ? ` (zuletzt am ${timeWords(save.createdAt)} von ${save.author})` : '';
  return `${plural.has(kind) ? 'wurden' : 'wurde'} ${nouns[kind]} geändert${last}`;
}

type FileState = Pick<ExplainedFile, 'present' | 'differences'> & {
  createdAt: Date;
  inExport: boolean;
  /** Sentences of the changes that alone make the difference; if none does alone, of all changes. */
  because: readonly string[];
  /** Whether the export omits items with errors. */
  omitsInvalid: boolean;
};

/** Compares the item in the served file with what would be written now, as German sentences. */
export function liveFileSentence({
  present,
  differences,
  createdAt,
  inExport,
  because,
  omitsInvalid,
}: FileState): string {
  const file = `Datei vom ${timeWords(createdAt)}`;
  const since = because.length === 0 ? '' : ` Seitdem ${because.join(', und außerdem ')}.`;
  if (!present && !inExport) return `Auch in der ${file} steht er nicht.`;
  // Checked alone the item has no error, or it would not be in the export: the error only shows in comparison with other items.
  if (!present && omitsInvalid && because.length === 0)
    return `In der ${file} steht er nicht: Der Lauf hat ihn wegen eines Fehlers ausgelassen, den erst der Vergleich mit anderen Artikeln zeigt. Welcher das ist, sagt die Diagnose des Exports.`;
  if (!present) return `In der ${file} steht er noch nicht.${since} Der nächste Lauf nimmt ihn auf.`;
  if (!inExport) return `In der ${file} steht er noch.${since} Der nächste Lauf nimmt ihn heraus.`;
  if (differences.length === 0) return `Die ${file} enthält ihn mit genau diesen Werten.`;
  const count = differences.length === 1 ? 'ein anderer Wert' : `${integerText(differences.length)} andere Werte`;
  return `In der ${file} ${differences.length === 1 ? 'steht' : 'stehen'} noch ${count}.${since} Der nächste Lauf übernimmt die neuen.`;
}

/** The same comparison for the file that the explained run itself made. */
export function runFileSentence({ present, differences }: Pick<FileState, 'present' | 'differences'>): string {
  if (!present) return 'Die Datei dieses Laufs enthält ihn nicht.';
  return differences.length === 0
    ? 'Die Datei dieses Laufs enthält ihn mit genau diesen Werten.'
    : 'Die Datei dieses Laufs enthält ihn mit anderen Werten, als sich heute daraus berechnen.';
}
