import { integerText } from '#shared/values/integer-text.ts';
import { RE2JS } from 're2js';

/** The longest pattern of a rule (T8). */
export const MAX_PATTERN = 512;

/**
 * The most steps of a compiled pattern. RE2 takes time in proportion to the text; once its memory for states is used up, also in
 * proportion to the pattern: '.{1000}' took 3 s on 100,000 texts, '.{700}' 0.1 s. Patterns with Unicode classes grow by hundreds
 * of steps for each letter, and beyond this RE2 itself refuses them.
 */
const MAX_PROGRAM = 750;
const MAX_UNICODE_PROGRAM = 250;

/** A pattern that matches the empty text is tried between any two letters: 12 million times in 100,000 texts. */
const MAX_EMPTY_PROGRAM = 100;

/** Scripts that every RE2 release in use supports; newer ones compile in this process but not in DuckDB. */
const SCRIPTS = new Set(
  (
    'Any Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Devanagari Thai Han Hiragana Katakana Hangul Common ' +
    'Inherited'
  ).split(' '),
);
const CATEGORY = /^(?:C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

const LOOK_AROUND = 'Look-around (?=…), (?!…), (?<=…), (?<!…) wird nicht unterstützt.';
const BACK_REFERENCE = 'Rückverweise wie \\1 werden nicht unterstützt.';
const NAMED_GROUP = 'Benannte Gruppen werden als (?P<name>…) geschrieben.';
const TOO_LARGE = 'Das Muster ist zu groß: Wiederholungen {…} zählen so oft, wie sie wiederholen.';
const TOO_LARGE_FOR_EMPTY = 'Das Muster passt auch auf einen leeren Text und ist dafür zu groß.';

/** German messages for RE2's errors, by the beginning of the error text. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^invalid escape sequence: `?\\[0-9]/, BACK_REFERENCE],
  [/^invalid escape sequence/, 'Unbekanntes Zeichen nach „\\“.'],
  [/^(?:invalid or unsupported Perl syntax|invalid named capture): `?\(\?<?[=!]/, LOOK_AROUND],
  [/^duplicate capture group name/, 'Zwei Gruppen haben denselben Namen.'],
  [/^invalid or unsupported Perl syntax/, 'Diese Schreibweise mit (?…) wird nicht unterstützt.'],
  [/^invalid named capture/, 'Der Name einer Gruppe ist ungültig.'],
  [/^invalid character class range/, 'Ein Bereich oder eine Klasse in […] ist ungültig.'],
  [/^invalid nested repetition/, 'Zwei Wiederholungen stehen hintereinander (z. B. „a**“).'],
  [/^missing argument to repetition/, 'Vor einer Wiederholung (*, +, ?) fehlt das Zeichen.'],
  [/^invalid repeat count/, 'Eine Wiederholung {…} ist ungültig oder größer als 1000.'],
  [/^missing closing \]/, 'Eine schließende Klammer ] fehlt.'],
  [/^missing closing \)/, 'Eine schließende Klammer ) fehlt.'],
  [/^unexpected \)/, 'Eine öffnende Klammer ( fehlt.'],
  [/^trailing backslash/, 'Am Ende steht ein einzelnes „\\“.'],
  [/^expression nests too deeply/, TOO_LARGE],
];

function germanReason(message: string): string {
  const text = message.replace(/^.*error parsing regexp: /s, '');
  return REASONS.find(([start]) => start.test(text))?.[1] ?? 'Das Muster ist ungültig.';
}

/** The pattern with quoted text, escapes and bracket classes replaced by a letter, so that whatever looks like a group is one. */
function bareGroups(pattern: string): string {
  return pattern.replaceAll(/\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/gs, 'x');
}

/** The names of the Unicode classes in a pattern. An escaped or quoted backslash does not begin a class: C:\\program. */
function unicodeClasses(pattern: string): string[] {
  const escapes = pattern.matchAll(/\\Q.*?(?:\\E|$)|\\[pP](?:\{\^?([^}]*)\}|(\w))|\\./gs);
  return Array.from(escapes).flatMap(([, braced, single]) => braced ?? single ?? []);
}

/**
 * Returns why DuckDB's RE2 would refuse a pattern, in German; undefined if it accepts it. Never compiles with JavaScript's own
 * engine, which can hang on a pattern (T8).
 */
export function checkRegex(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `Das Muster ist länger als ${integerText(MAX_PATTERN)} Zeichen.`;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    return germanReason(error instanceof Error ? error.message : '');
  }
  if (bareGroups(pattern).includes('(?<')) return NAMED_GROUP;
  const classes = unicodeClasses(pattern);
  const unknown = classes.find((named) => !CATEGORY.test(named) && !SCRIPTS.has(named));
  if (unknown !== undefined) return `Die Zeichenklasse „${unknown}“ ist nicht bekannt.`;
  const limit = classes.length > 0 ? MAX_UNICODE_PROGRAM : MAX_PROGRAM;
  if (compiled.programSize() > limit) return TOO_LARGE;
  return compiled.programSize() > MAX_EMPTY_PROGRAM && fitsAnywhere(compiled) ? TOO_LARGE_FOR_EMPTY : undefined;
}

/** Whether a pattern matches the empty text, and not only at the beginning. */
function fitsAnywhere(compiled: RE2JS): boolean {
  return compiled.matcher('').matches() && compiled.matcher('\u0001\u0001').find(1);
}

/** The number of groups (`\1` … `\9`) in a usable pattern. */
export function groupCount(pattern: string): number {
  return RE2JS.compile(pattern).groupCount();
}

/**
 * Returns a replacement in RE2's notation: `\0` to `\9` are groups (a group that the pattern lacks is empty), `\\` is a
 * backslash, and a backslash before anything else is a plain backslash.
 */
export function replacementRewrite(replacement: string, groups: number): string {
  return replacement.replaceAll(/\\([0-9\\])?/g, (_whole, next: string | undefined) => {
    if (next === undefined || next === '\\') return '\\\\';
    return Number(next) <= groups ? `\\${next}` : '';
  });
}
