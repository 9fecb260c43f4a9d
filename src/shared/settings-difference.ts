import type { ExportSettings, OutputFormat } from './exports.ts';
import { quoted } from './rule-sentences.ts';

/** What people call each setting of an export; the same words as its form. */
const headWords = { name: 'Name', channel: 'Kanal', filename: 'Dateiname' } as const;
const formatWords: Readonly<Record<keyof OutputFormat, string>> = {
  kind: 'Dateiformat',
  delimiter: 'Trennzeichen',
  quote: 'Anführungszeichen',
  quoting: 'Anführung der Werte',
  header: 'Kopfzeile',
  lineEnd: 'Zeilenende',
  encoding: 'Zeichensatz',
  decimal: 'Dezimalzeichen',
  style: 'XML-Form',
  root: 'XML-Wurzelelement',
  item: 'XML-Artikelelement',
};

/** What changed between two settings of an export, in German sentences; without an earlier one it was made. */
export function settingsChanges(before: ExportSettings | undefined, after: ExportSettings): string[] {
  if (before === undefined) return [`Export ${quoted(after.name)} angelegt.`];
  const sentences: string[] = [];
  const compare = (word: string, from: unknown, to: unknown) => {
    if (from !== to) sentences.push(`${word}: vorher ${settingWord(from)}, jetzt ${settingWord(to)}.`);
  };
  for (const [key, word] of entriesOf(headWords)) compare(word, before[key], after[key]);
  for (const [key, word] of entriesOf(formatWords)) compare(word, before.format[key], after.format[key]);
  return sentences;
}

const spelled: Readonly<Record<string, string>> = { '\n': 'LF', '\r\n': 'CR LF', '\t': 'Tabulator', '': 'leer' };

function settingWord(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  const text = String(value);
  return spelled[text] ?? quoted(text);
}

function entriesOf<T extends object>(record: T): [keyof T, T[keyof T]][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.entries forgets the keys of its own record
  return Object.entries(record) as [keyof T, T[keyof T]][];
}
