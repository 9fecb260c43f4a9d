import { basicEntities, htmlEntities } from '#engine/read/html-entities.ts';

/** Receives each repair; `at` is the offset in the text given to `feed`, including text kept back from the previous call. */
export type RepairSink = (what: 'ampersand' | 'character' | 'declaration', text: string, at: number) => void;

type State = 'start' | 'text' | 'cdata' | 'comment' | 'instruction' | 'doctype';

const ends = { cdata: ']]>', comment: '-->', instruction: '?>' } as const;
const reference = /&(?:#(\d+)|#[xX]([\da-fA-F]+)|([\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*));/uy;
const openReference = /^&(?:#\d*|#[xX][\da-fA-F]*|[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*)?$/u;
/** Much longer than any character name or number. */
const longestReference = 64;

/** Counts the line ends in a text; CRLF, CR and LF each count once. */
export function lineBreaks(text: string): number {
  return text.match(/\r\n?|\n/gu)?.length ?? 0;
}

const isCharacter = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);
const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/**
 * Repairs common mistakes of shops in XML that have only one meaning, before the parser sees them: `&` that begins no reference,
 * references to characters that XML forbids, and white space before the declaration. Keeps back the few characters at the end of
 * a chunk that can be judged only with the next chunk.
 */
export class XmlRepair {
  private readonly repaired: RepairSink;
  private state: State = 'start';
  private within: 'text' | 'doctype' = 'text';
  private quote = '';
  private subset = false;
  private hasDoctype = false;
  private late = false;
  private carry = '';
  private final = false;
  private text = '';
  private out = '';
  private at = 0;
  /** Lines removed before the parser sees the text. */
  skippedLines = 0;

  constructor(repaired: RepairSink) {
    this.repaired = repaired;
  }

  feed(piece: string): string {
    this.text = this.carry + piece;
    this.carry = '';
    this.out = '';
    this.at = 0;
    while (this.at < this.text.length && this.carry === '') this.step();
    return this.out;
  }

  end(): string {
    this.final = true;
    return this.feed('');
  }

  private step(): void {
    if (this.state === 'start') this.start();
    else if (this.state === 'text') this.plainText();
    else if (this.state === 'doctype') this.doctype();
    else this.skipTo(ends[this.state]);
  }

  private copyTo(index: number): void {
    this.out += this.text.slice(this.at, index);
    this.at = index;
  }

  private keepFrom(index: number): void {
    this.copyTo(index);
    this.carry = this.text.slice(index);
  }

  private start(): void {
    const blank = /^[\s\ufeff]*/u.exec(this.text)?.[0] ?? '';
    this.skippedLines += lineBreaks(blank);
    this.late ||= blank !== '';
    this.text = this.text.slice(blank.length);
    if (!this.final && this.text.length < 5 && '<?xml'.startsWith(this.text)) {
      this.carry = this.text;
      this.text = '';
      return;
    }
    if (this.late && this.text.startsWith('<?xml')) this.repaired('declaration', '', 0);
    this.state = 'text';
  }

  private plainText(): void {
    const mark = /&|<(?:[!?]|$)/gu;
    mark.lastIndex = this.at;
    const found = mark.exec(this.text);
    if (!found) this.copyTo(this.text.length);
    else if (found[0] === '&') this.ampersand(found.index);
    else this.markup(found.index);
  }

  private markup(index: number): void {
    const rest = this.text.slice(index, index + 9);
    const openings = [
      ['<!--', 'comment'],
      ['<![CDATA[', 'cdata'],
      ['<!DOCTYPE', 'doctype'],
      ['<?', 'instruction'],
    ] as const;
    const opening = openings.find(([start]) => rest.startsWith(start));
    if (opening) {
      this.copyTo(index + opening[0].length);
      this.state = opening[1];
      this.within = 'text';
      this.hasDoctype ||= this.state === 'doctype';
    } else if (!this.final && openings.some(([start]) => start.startsWith(rest))) this.keepFrom(index);
    else this.copyTo(index + 1);
  }

  /** Copies everything up to the end of a part that holds no references. */
  private skipTo(end: string): void {
    const index = this.text.indexOf(end, this.at);
    if (index >= 0) {
      this.copyTo(index + end.length);
      this.state = this.within;
      return;
    }
    let back = Math.min(end.length - 1, this.text.length - this.at);
    while (back > 0 && !end.startsWith(this.text.slice(-back))) back -= 1;
    if (back > 0 && !this.final) this.keepFrom(this.text.length - back);
    else this.copyTo(this.text.length);
  }

  private doctype(): void {
    if (this.quote !== '') {
      const index = this.text.indexOf(this.quote, this.at);
      if (index >= 0) this.quote = '';
      this.copyTo(index < 0 ? this.text.length : index + 1);
      return;
    }
    const mark = /["'[\]>]|<!--|<\?|<(?:!-?)?$/gu;
    mark.lastIndex = this.at;
    const found = mark.exec(this.text);
    const sign = found?.[0] ?? '';
    const end = found ? found.index + sign.length : this.text.length;
    if (found && sign.startsWith('<') && end === this.text.length && sign !== '<!--' && sign !== '<?' && !this.final) {
      this.keepFrom(found.index);
      return;
    }
    this.copyTo(end);
    if (sign === '"' || sign === "'") this.quote = sign;
    else if (sign === '[' || sign === ']') this.subset = sign === '[';
    else if (sign === '>' && !this.subset) this.state = 'text';
    else if (sign === '<!--' || sign === '<?') {
      this.state = sign === '<?' ? 'instruction' : 'comment';
      this.within = 'doctype';
    }
  }

  private ampersand(index: number): void {
    const found = this.referenceAt(index);
    if (!found) {
      if (!this.final && this.isOpen(index)) this.keepFrom(index);
      else this.write(index, '&amp;', index + 1, 'ampersand');
      return;
    }
    const [whole, decimal, hex, name] = found;
    const end = index + whole.length;
    if (name !== undefined) {
      if (this.hasDoctype || Object.hasOwn(basicEntities, name) || htmlEntities.has(name)) this.copyTo(end);
      else this.write(index, '&amp;', index + 1, 'ampersand');
    } else this.character(index, end, decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
  }

  private referenceAt(index: number): RegExpExecArray | null {
    reference.lastIndex = index;
    return reference.exec(this.text);
  }

  private isOpen(index: number): boolean {
    return this.text.length - index < longestReference && openReference.test(this.text.slice(index));
  }

  private character(index: number, end: number, code: number): void {
    if (isCharacter(code)) {
      this.copyTo(index);
      this.out += `&#${code};`;
      this.at = end;
      return;
    }
    if (!isFirstHalf(code)) {
      this.write(index, '', end, 'character');
      return;
    }
    // Some programs that use UTF-16 write an emoji as two references, one per surrogate.
    const next = this.referenceAt(end);
    const second = next?.[1] === undefined ? Number.parseInt(next?.[2] ?? '', 16) : Number(next[1]);
    if (next && isSecondHalf(second)) {
      const whole = (code - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000;
      this.copyTo(index);
      this.out += `&#${whole};`;
      this.at = end + next[0].length;
    } else if (!next && !this.final && (end === this.text.length || this.isOpen(end))) this.keepFrom(index);
    else this.write(index, '', end, 'character');
  }

  private write(index: number, text: string, end: number, what: 'ampersand' | 'character'): void {
    this.copyTo(index);
    this.repaired(what, this.text, index);
    this.out += text;
    this.at = end;
  }
}
