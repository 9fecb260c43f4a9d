import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import iconv from 'iconv-lite';
import type { OutputFormat } from '#shared/exports/schema.ts';

/** How many characters the encoding lacks: `simplified` were written in a plain form, `replaced` as question marks. */
export type Encoded = { replaced: number; simplified: number };

/** All characters of an 8-bit encoding. Undefined bytes decode to U+FFFD, which the encoding itself lacks. */
export function repertoire(encoding: string): Set<string> {
  const all = new Set(iconv.decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), encoding));
  all.delete('\uFFFD');
  return all;
}

/** The last letter of a text with its combining marks, of which more may follow; no real letter has more characters than this. */
const LAST_LETTER = /\P{M}\p{M}*$/u;
const LONGEST_LETTER = 64;
const MARK = /\p{M}/u;
const MARKED = /\P{M}\p{M}+/gu;
const lastLetterOf = (text: string): string => LAST_LETTER.exec(text.slice(-LONGEST_LETTER))?.[0] ?? '';

/** A letter and its marks in as few characters as possible, if the encoding has them; else unchanged, to keep the letter. */
function inOne(letter: string, known: ReadonlySet<string>): string {
  const one = letter.normalize('NFC');
  return Array.from(one).every((character) => known.has(character)) ? one : letter;
}

const group = (characters: string, plain: string) => Array.from(characters, (one) => [one, plain] as const);
/** Plain forms of typographic characters. None contains a delimiter, a quote or a line break. */
export const plainForms: ReadonlyMap<string, string> = new Map([
  ...group('\u2010\u2011\u2012–—―−•', '-'),
  ...group('\u2002\u2003\u2007\u2009\u200A\u202F\u2028\u2029', ' '),
  ...group('\u200B\u200C\u200D\u200E\u200F\u2060\uFE0E\uFE0F\uFEFF', ''),
  ['…', '...'],
  ['€', 'EUR'],
  ['™', '(TM)'],
]);
export const quotations = '‘’‚‛“”„‟‹›';

/** The plain form of a quotation mark. `quote`: of the file's cells, which it must not close. */
export const plainQuotation = (quote: string): string => (quote === '"' ? "'" : '"');
/** Returns the plain form of a typographic character, if it has one. */
const plainForm = (character: string, quote: string): string | undefined =>
  quotations.includes(character) ? plainQuotation(quote) : plainForms.get(character);

/**
 * Rewrites a UTF-8 file in another encoding. A letter written as several characters (a Mac writes 'ü' as 'u' and its mark) is
 * composed if the encoding has the result. A character that the encoding lacks gets a plain form, or becomes '?'; in XML it becomes a
 * character reference, which loses nothing. Both are counted, so that users learn of them before their channel does.
 */
export async function encodeFile(
  from: string,
  to: string,
  format: OutputFormat,
  signal?: AbortSignal,
): Promise<Encoded> {
  const { encoding, kind, quote } = format;
  const known = encoding === 'utf-16le' ? undefined : repertoire(encoding);
  const decoder = new StringDecoder('utf8');
  let [replaced, simplified] = [0, 0];
  let first = true;
  const composing = known !== undefined && kind !== 'xml' ? known : undefined;
  let carry = '';
  /** The text with composed letters, without its last letter unless the text `ends` here. */
  const composed = (text: string, ends: boolean): string => {
    if (!composing) return text;
    const all = carry + text;
    carry = ends ? '' : lastLetterOf(all);
    const whole = all.slice(0, all.length - carry.length);
    return MARK.test(whole) ? whole.replaceAll(MARKED, (letter) => inOne(letter, composing)) : whole;
  };
  const serialize = (text: string, ends = false): Buffer => {
    const whole = composed(text, ends);
    const body = known
      ? whole.replaceAll(/\P{ASCII}/gu, (character) => {
          if (known.has(character)) return character;
          if (kind === 'xml') return `&#${character.codePointAt(0)};`;
          const plain = plainForm(character, quote);
          if (plain === undefined) replaced++;
          else simplified++;
          return plain ?? '?';
        })
      : whole;
    const bytes = iconv.encode(body, encoding);
    if (!first || encoding !== 'utf-16le') return bytes;
    first = false;
    return Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]);
  };
  const convert = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, serialize(decoder.write(chunk))),
    flush: (done) => done(null, serialize(decoder.end(), true)),
  });
  await pipeline(
    createReadStream(from, { highWaterMark: 1024 * 1024 }),
    convert,
    createWriteStream(to, { flush: true }),
    signal ? { signal } : {},
  );
  return { replaced, simplified };
}
