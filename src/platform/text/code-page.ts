import iconv from 'iconv-lite';

const candidates = ['windows-1252', 'cp850', 'macintosh'] as const;
const german = new Set('äöüÄÖÜß');
const common = new Set('éèêëàâáåæøçîïíñóôõòúùû');
/** Letters of Slavic names that only Windows has; the same bytes are ä, ö and é on a Mac, è, Ü and Ä in DOS. */
const slavic = new Set('šžŠŽ');
const vowels = new Set('aeiouyáéíóúýěAEIOUY');
const marks = new Set('€„“”‚‘’–—®™°²³×½¼·•…§µ«»‹›´');
/** Signs that also occur between letters: don’t, Köln–Bonn, so…und. */
const joining = new Set('’·–—…');
/** Windows signs that directly follow a word. The dash (the ù of “più” in CP850) does not: blanks or words are on both sides. */
const closing = new Set('…•–’‘“”™›‹\u00a0');
/** “Text” and „Text“: in CP850 and MacRoman the bytes of these quotes are letters, which never surround words like this. */
const quotedText = /(?<![\p{L}\p{N}])[„“][\p{L}\p{N}][^„“”\r\n]{0,80}[“”](?![\p{L}\p{N}])/gu;

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /\p{L}/u.test(char);
}

function isLower(char: string | undefined): boolean {
  return char !== undefined && /\p{Ll}/u.test(char);
}

/** A character with its neighbours; `sign` is what its byte means in Windows-1252. */
type Place = { char: string; sign: string; before: string | undefined; after: string | undefined };

function letterScore({ char, sign, before, after }: Place): number {
  const besideVowel = vowels.has(before ?? '') || vowels.has(after ?? '');
  const inWord = isLetter(before) || isLetter(after);
  if (!isLower(char) && isLower(before)) return -1;
  // Words in capitals may contain an ß.
  if (isLower(char) && char !== 'ß' && isLetter(after) && !isLower(after)) return -1;
  // In Windows-1252 this byte is the euro or ™: 5Ä, TEXÖ.
  if ((char === 'Ä' || char === 'Ö') && !isLetter(after)) return 0;
  // Aleš, Šimun, Žalec. The ö of a Mac is mostly between consonants: Köln, Größe.
  if (slavic.has(char)) return besideVowel ? 2 : 0.2;
  if (german.has(char)) return inWord ? 2 : 0.5;
  if (common.has(char)) {
    const mayBeSign = sign !== char && (!isLetter(before) || (!isLetter(after) && closing.has(sign)));
    return inWord ? (mayBeSign ? 0.4 : 1) : 0;
  }
  return inWord ? 0.2 : -0.5;
}

/** Returns how plausible a character is between its neighbours; higher is better. */
function characterScore(place: Place): number {
  const { char, before, after } = place;
  if (isLetter(char)) return letterScore(place);
  if (char === '\ufffd' || /\p{C}/u.test(char)) return -2;
  if (isLetter(before) && isLetter(after)) return char === '’' ? 1 : joining.has(char) ? 0 : -1;
  // "10 kg" with a no-break space: the same byte is an á in CP850.
  if (char === '\u00a0') return 1;
  return marks.has(char) ? 0.4 : -0.2;
}

/** Returns how plausible a text is. `signs`: the same bytes read as Windows-1252, also one character each. */
function score(text: string, signs: string): number {
  const chars = Array.from(text);
  let sum = 2 * (text.match(quotedText)?.length ?? 0);
  chars.forEach((char, index) => {
    if ((char.codePointAt(0) ?? 0) > 127)
      sum += characterScore({ char, sign: signs[index] ?? '', before: chars[index - 1], after: chars[index + 1] });
  });
  return sum;
}

/**
 * Returns the single-byte encoding of bytes that are not UTF-8. Windows-1252 unless another one reads clearly better: CP850
 * (DOS, DATANORM) and MacRoman have umlauts where Windows has signs in the middle of words. A file that declares (`declared`)
 * Windows-1252 or ISO-8859-1 needs stronger evidence for another encoding.
 */
function detectCodePage(bytes: Buffer, declared: boolean): string {
  const signs = iconv.decode(bytes, 'windows-1252');
  const scores = candidates.map((name) => score(iconv.decode(bytes, name), signs));
  const [windows = 0, dos = 0, mac = 0] = scores;
  const other = dos >= mac ? { name: 'cp850', score: dos } : { name: 'macintosh', score: mac };
  if (other.score >= 2 && other.score > windows + (declared ? 8 : 2)) return other.name;
  const highControls = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  if (highControls) return 'windows-1252';
  return bytes.includes(0xa4) ? 'iso-8859-15' : 'iso-8859-1';
}

/** Decodes a line. Since 1998 the character that iconv's Mac table calls a currency sign is the euro. */
export function decodeLine(line: Buffer, codePage: string): string {
  const text = iconv.decode(line, codePage);
  return codePage === 'macintosh' ? text.replaceAll('¤', '€') : text;
}

/** In everything that occurs in texts, windows-1252 is a superset of ISO-8859-1. */
export function readAs(codePage: string): string {
  return codePage === 'iso-8859-1' || codePage === 'latin1' ? 'windows-1252' : codePage;
}

/** Returns whether a declared encoding is a single-byte one, and none of the decoder's own notations for bytes. */
export const isSingleByte = (declared: string | undefined): declared is string =>
  declared !== undefined && !/^(utf|ucs|unicode|ascii|us-ascii|hex|base64|binary|cesu)/u.test(declared);

/** Returns the single-byte encoding of lines that are not UTF-8. A declared rare encoding is obeyed; Windows-1252 or ISO-8859-1 is only a hint. */
export function codePageOf(foreign: Buffer, declared: string | undefined): string {
  if (isSingleByte(declared) && !/8859-1$|1252$|latin1$/u.test(declared)) return declared;
  return detectCodePage(foreign, isSingleByte(declared));
}
