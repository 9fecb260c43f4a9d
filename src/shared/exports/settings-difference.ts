import { differenceActions, type DifferenceSettings } from '#shared/difference/schema.ts';
import type { ExportSettings, OutputFormat } from './schema.ts';
import type { StockFields } from './stock-fields.ts';
import type { UploadSettings } from '#shared/upload/schema.ts';
import { type ScheduleSettings, weekdayNames } from '#shared/schedule/schema.ts';
import { quoted } from '#shared/rules/sentences.ts';
import { countText } from '#shared/values/integer-text.ts';

/** German labels of an export's settings, as in its form. */
const headWords = {
  name: 'Name',
  channel: 'Kanal',
  filename: 'Dateiname',
  omitInvalid: 'Artikel mit Fehlern auslassen',
} as const;
const stockWords: Readonly<Record<keyof StockFields, string>> = {
  id: 'Bestand und Preis: Feld der Artikelnummer',
  stock: 'Bestand und Preis: Feld des Bestands',
  price: 'Bestand und Preis: Feld des Preises',
};
const deltaWords = {
  active: 'Nur Änderungen übergeben',
  fullHours: 'Ganze Datei nach Stunden',
  removed: 'Entfallene Artikel',
} as const;
const formatWords: Readonly<Record<keyof OutputFormat, string>> = {
  kind: 'Dateiformat',
  delimiter: 'Trennzeichen',
  quote: 'Anführungszeichen',
  quoting: 'Anführung der Werte',
  header: 'Kopfzeile',
  lineEnd: 'Zeilenende',
  encoding: 'Zeichensatz',
  decimal: 'Dezimalzeichen',
  price: 'Preise',
  currency: 'Währung',
  stripHtml: 'HTML entfernen',
  style: 'XML-Form',
  root: 'XML-Wurzelelement',
  item: 'XML-Artikelelement',
  nested: 'Verschachtelte Felder',
  typed: 'Zahlen ohne Anführung',
  member: 'Liste der Artikel unter',
  head: 'Weitere Angaben',
};

/** Returns the changes between two settings of an export as German sentences; without earlier ones, that it was created. */
export function settingsChanges(before: ExportSettings | undefined, after: ExportSettings): string[] {
  if (before === undefined) return [`Export ${quoted(after.name)} angelegt.`];
  const sentences: string[] = [];
  const compare = (word: string, from: unknown, to: unknown) => {
    if (from !== to) sentences.push(`${word}: vorher ${settingWord(from)}, jetzt ${settingWord(to)}.`);
  };
  for (const [key, word] of entriesOf(headWords)) compare(word, before[key], after[key]);
  for (const [key, word] of entriesOf(deltaWords)) compare(word, before.delta[key], after.delta[key]);
  for (const [key, word] of entriesOf(formatWords)) compare(word, before.format[key], after.format[key]);
  for (const [key, word] of entriesOf(stockWords)) compare(word, before.stockFields[key], after.stockFields[key]);
  // A setting that is not listed above yet.
  if (sentences.length === 0 && JSON.stringify(before) !== JSON.stringify(after)) return ['Einstellungen geändert.'];
  return sentences;
}

/** Returns the changes of the settings for deviating states (DIF) as German sentences. */
export function differenceChanges(before: DifferenceSettings, after: DifferenceSettings): string[] {
  const limit = (percent: number) => (percent === 0 ? 'ohne Grenze' : `ab ${percent} %`);
  const words = (settings: DifferenceSettings): [string, string][] => [
    ['Aktion bei Differenz', differenceActions[settings.action_on_difference].label],
    ['Negative Differenz', limit(settings.neg_difference)],
    ['Positive Differenz', limit(settings.pos_difference)],
  ];
  const was = new Map(words(before));
  return words(after)
    .filter(([word, value]) => was.get(word) !== value)
    .map(([word, value]) => `${word}: vorher ${quoted(was.get(word) ?? '')}, jetzt ${quoted(value)}.`);
}

/** Returns the changes of a schedule as German sentences. */
export function scheduleChanges(before: ScheduleSettings, after: ScheduleSettings): string[] {
  const words = (settings: ScheduleSettings): [string, string][] => [
    ['Zeitplan', settings.active ? 'ein' : 'aus'],
    ['Läufe', scheduleSentence(settings)],
    ['Meldung ohne erfolgreichen Lauf', `nach ${countText(settings.patience, 'Stunde', 'Stunden')}`],
    ['Adresse', settings.source === '' ? 'keine' : settings.source],
    ...(before.kind === after.kind ? [unusedWords(settings)] : []),
  ];
  const was = new Map(words(before));
  return words(after)
    .filter(([word, value]) => was.get(word) !== value)
    .map(([word, value]) => `${word}: vorher ${quoted(was.get(word) ?? '')}, jetzt ${quoted(value)}.`);
}

/** What the other kind of schedule would use. */
const unusedWords = ({ kind, times, minutes }: ScheduleSettings): [string, string] =>
  kind === 'interval'
    ? ['Uhrzeiten, zurzeit nicht benutzt', times.toSorted().join(', ')]
    : ['Abstand, zurzeit nicht benutzt', countText(minutes, 'Minute', 'Minuten')];

function scheduleSentence({ kind, times, weekdays, minutes }: ScheduleSettings): string {
  const days =
    weekdays.length === 7
      ? 'täglich'
      : weekdays
          .toSorted((one, other) => one - other)
          .map((day) => weekdayNames[day - 1])
          .join(', ');
  const when = kind === 'interval' ? `alle ${minutes} Minuten` : `um ${times.toSorted().join(', ')} Uhr`;
  return `${days} ${when}`;
}

const uploadWords = {
  active: 'Übertragung eingeschaltet',
  host: 'Host',
  port: 'Port',
  user: 'Benutzername',
  dir: 'Zielverzeichnis',
  filename: 'Dateiname',
  fingerprint: 'Fingerabdruck des Servers',
} as const;

/** Returns the changes of the upload settings (FTP) as German sentences; the password is in no history. */
export function uploadChanges(before: UploadSettings, after: UploadSettings): string[] {
  return entriesOf(uploadWords)
    .filter(([key]) => before[key] !== after[key])
    .map(([key, word]) => `${word}: vorher ${settingWord(before[key])}, jetzt ${settingWord(after[key])}.`);
}

const spelled: Readonly<Record<string, string>> = {
  '\n': 'LF',
  '\r\n': 'CR LF',
  '\t': 'Tabulator',
  '': 'leer',
  wait: 'weglassen',
  zero: 'mit Bestand 0',
};

function settingWord(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  const text = String(value);
  return spelled[text] ?? quoted(text);
}

function entriesOf<T extends object>(record: T): [keyof T, T[keyof T]][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.entries loses the key type of its own record
  return Object.entries(record) as [keyof T, T[keyof T]][];
}
