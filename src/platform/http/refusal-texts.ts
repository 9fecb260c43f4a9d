import type { z } from 'zod';

const integer = new Intl.NumberFormat('de-DE');
const list = new Intl.ListFormat('de', { type: 'disjunction' });

/** What was expected, in everyday words: users who fill in a form do not know strings and arrays. */
const expectedTexts: Readonly<Record<string, string>> = {
  string: 'Erwartet wird ein Text.',
  number: 'Erwartet wird eine Zahl.',
  int: 'Erwartet wird eine ganze Zahl.',
  bigint: 'Erwartet wird eine ganze Zahl.',
  boolean: 'Erwartet wird Ja oder Nein.',
  date: 'Erwartet wird ein Datum.',
  array: 'Erwartet wird eine Liste.',
  tuple: 'Erwartet wird eine Liste.',
  set: 'Erwartet wird eine Liste.',
  object: 'Erwartet werden benannte Angaben.',
  record: 'Erwartet werden benannte Angaben.',
  map: 'Erwartet werden benannte Angaben.',
};

const shapes: Readonly<Record<string, string>> = {
  email: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
  url: 'Bitte geben Sie eine vollständige Internetadresse ein.',
  datetime: 'Erwartet werden Tag und Uhrzeit, zum Beispiel 2026-01-31T08:00:00Z.',
  date: 'Erwartet wird ein Tag, zum Beispiel 2026-01-31.',
  time: 'Erwartet wird eine Uhrzeit, zum Beispiel 08:00.',
};

const missing = 'Diese Angabe fehlt.';
const fallback = 'Diese Angabe ist so nicht möglich.';
/** Longer lists of allowed values are not shown: nobody reads them. */
const MOST_LISTED = 12;

type Issue = z.core.$ZodRawIssue;

/** Returns the message for a value that a schema refuses without one of its own (GEN-01): plain German, German numbers. */
export function refusalText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? missing : (expectedTexts[issue.expected] ?? fallback);
    case 'invalid_union':
      return issue.input === undefined ? missing : fallback;
    case 'invalid_value':
      return oneOf(issue.values.map(String));
    case 'too_big':
      return most(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case 'too_small':
      return least(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case 'invalid_format':
      return shapes[issue.format] ?? 'Diese Angabe hat nicht die Form, die hier erwartet wird.';
    case 'not_multiple_of':
      return `Der Wert muss ein Vielfaches von ${integer.format(Number(issue.divisor))} sein.`;
    case 'unrecognized_keys':
      return `Hier nicht bekannt: ${issue.keys.map((key) => `„${key}“`).join(', ')}.`;
    default:
      return fallback;
  }
}

function oneOf(values: readonly string[]): string {
  const shown = values.map((value) => (value === '' ? 'leer' : `„${value}“`));
  if (shown.length === 1) return `Erlaubt ist nur ${shown.join('')}.`;
  return shown.length > MOST_LISTED ? fallback : `Erlaubt ist ${list.format(shown)}.`;
}

function most(origin: string, maximum: number, inclusive: boolean): string {
  const limitText = integer.format(maximum);
  if (origin === 'string') return `Höchstens ${limitText} Zeichen sind erlaubt.`;
  if (isList(origin)) return `Höchstens ${limitText} ${maximum === 1 ? 'Eintrag ist' : 'Einträge sind'} erlaubt.`;
  return inclusive ? `Der Wert darf höchstens ${limitText} sein.` : `Der Wert muss kleiner als ${limitText} sein.`;
}

function least(origin: string, minimum: number, inclusive: boolean): string {
  const limitText = integer.format(minimum);
  if (origin === 'string')
    return minimum <= 1 ? 'Diese Angabe darf nicht leer sein.' : `Nötig sind mindestens ${limitText} Zeichen.`;
  if (isList(origin))
    return minimum <= 1 ? 'Nötig ist mindestens ein Eintrag.' : `Nötig sind mindestens ${limitText} Einträge.`;
  return inclusive ? `Der Wert muss mindestens ${limitText} sein.` : `Der Wert muss größer als ${limitText} sein.`;
}

const isList = (origin: string): boolean =>
  origin === 'array' || origin === 'set' || origin === 'map' || origin === 'record';
