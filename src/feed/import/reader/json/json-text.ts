import fs from 'node:fs';
import { countText, type ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';

/** A number as written, so that no digit is lost. */
export class JsonNumber {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
}
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | Map<string, JsonValue>;

/** A syntax error: what was expected, and where. */
export class JsonError extends Error {
  readonly line: number;
  constructor(expected: string, line: number, column: number) {
    super(`Zeile ${countText(line)}, Zeichen ${countText(column)}: ${expected}`);
    this.line = line;
  }
}

const numberShape = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const commentText =
  'Hier beginnt ein Kommentar (// oder /*), und JSON kennt keine. Bitte liefern Sie die Datei ohne Kommentare.';
const anotherText =
  'Hier endet das erste JSON-Dokument, und ein weiteres folgt; lesbar ist nur eines. Bitte liefern Sie alle Artikel in einer Liste ([…, …]) oder als JSON Lines (je Zeile genau ein Objekt).';
const escapes: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Strict JSON parser over a file or a text; reads further chunks as needed. Objects become Maps (so `__proto__` is a key like
 * any other); of equal keys the last one wins, and the duplicate is counted.
 */
export class JsonText {
  private text: string;
  private position = 0;
  private readonly more: () => string;
  private readonly limits: ImportLimits;
  private line: number;
  private column = 0;
  duplicateKeys = 0;
  /** The data stand in a call or an assignment, whose end may follow them. */
  isWrapped = false;

  /** `more` returns the next chunk of text, '' at the end. */
  constructor(text: string, limits: ImportLimits, more: () => string = () => '', line = 1) {
    this.text = text;
    this.limits = limits;
    this.more = more;
    this.line = line;
  }

  get currentLine(): number {
    return this.line;
  }

  fail(expected: string): never {
    const isComment = /^\/[/*]/u.test(this.text.slice(this.position, this.position + 2));
    throw new JsonError(isComment ? commentText : expected, this.line, this.position - this.column + 1);
  }

  /** Drops the parsed text and reads the next chunk; returns false at the end. */
  private fill(): boolean {
    const piece = this.more();
    if (piece === '') return false;
    this.text = this.text.slice(this.position) + piece;
    this.column -= this.position;
    this.position = 0;
    return true;
  }

  /** Returns the next character that is not white space, or '' at the end. */
  peek(): string {
    for (;;) {
      while (this.position < this.text.length) {
        const code = this.text.charCodeAt(this.position);
        if (code === 10) {
          this.line += 1;
          this.column = this.position + 1;
        } else if (code !== 32 && code !== 9 && code !== 13) return this.text[this.position] ?? '';
        this.position += 1;
      }
      if (!this.fill()) return '';
    }
  }

  take(char: string, expected: string): void {
    if (this.peek() !== char) this.fail(expected);
    this.position += 1;
  }

  /** Consumes `char` if it is next. */
  takeIf(char: string): boolean {
    if (this.peek() !== char) return false;
    this.position += 1;
    return true;
  }

  /** Parses one value of any kind. If `keep` is false, the value is only checked. */
  value(depth: number, keep: boolean): JsonValue {
    if (depth > this.limits.depth) {
      throw new Refusal(
        'too_deep',
        `Die Daten sind tiefer als ${this.limits.depth} Ebenen verschachtelt. Es wurde nichts importiert. Bitte liefern Sie eine flachere Datei.`,
        this.line,
      );
    }
    const char = this.peek();
    if (char === '"') return this.string();
    if (char === '{') return this.object(depth, keep);
    if (char === '[') return this.array(depth, keep);
    if (char === '-' || (char >= '0' && char <= '9')) return this.number();
    if (char === 't') return this.word('true', true);
    if (char === 'f') return this.word('false', false);
    if (char === 'n') return this.word('null', null);
    return this.fail(char === '' ? 'Die Datei endet mitten in den Daten.' : 'Hier wird ein Wert erwartet.');
  }

  private ensure(length: number): void {
    while (this.text.length - this.position < length && this.fill()) continue;
  }

  private word(word: string, value: boolean | null): boolean | null {
    this.ensure(word.length);
    if (!this.text.startsWith(word, this.position)) this.fail('Unbekanntes Wort.');
    this.position += word.length;
    return value;
  }

  private number(): JsonNumber {
    for (;;) {
      numberShape.lastIndex = this.position;
      const found = numberShape.exec(this.text)?.[0] ?? '';
      const end = this.position + found.length;
      if (end + 2 >= this.text.length && this.text.length - this.position < this.limits.cell && this.fill()) continue;
      if (found === '' || /[\w.+-]/u.test(this.text[end] ?? '')) this.fail('Keine gültige Zahl.');
      this.position = end;
      return new JsonNumber(found);
    }
  }

  /** Parses a quoted string; refuses raw control characters and wrong escapes. */
  string(): string {
    this.take('"', 'Hier wird ein Anführungszeichen erwartet.');
    let from = this.position;
    for (;;) {
      const end = this.stringEnd(from);
      if (end >= 0) {
        const raw = this.text.slice(this.position, end);
        this.checkLength(raw.length);
        const value = raw.includes('\\') ? this.unescape(raw) : raw;
        this.position = end + 1;
        return value;
      }
      this.checkLength(this.text.length - this.position);
      const done = this.text.length - this.position;
      const backslashes = this.endingBackslashes();
      if (!this.fill()) this.fail('Die Datei endet mitten in einem Text.');
      from = Math.max(this.position, this.position + done - (backslashes % 2));
    }
  }

  /** Not a regular expression: it would check each run of backslashes once for every one in it. */
  private endingBackslashes(): number {
    let start = this.text.length;
    while (this.text[start - 1] === '\\') start -= 1;
    return this.text.length - start;
  }

  private checkLength(length: number): void {
    if (length <= this.limits.record) return;
    throw new Refusal(
      'value_too_long',
      `Ein Wert ist länger als ${countText(this.limits.record)} Zeichen. Es wurde nichts importiert. Bitte prüfen Sie die Datei.`,
      this.line,
    );
  }

  private stringEnd(from: number): number {
    for (let at = from; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code === 34) return at;
      if (code === 92) at += 1;
      else if (code < 32) {
        this.position = at;
        this.fail('Steuerzeichen in einem Text.');
      }
    }
    return -1;
  }

  private unescape(raw: string): string {
    return raw.replaceAll(/\\(u[\da-fA-F]{4}|[\s\S]?)/gu, (_, code: string) => {
      if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return escapes[code] ?? this.fail('Unbekannte Zeichenfolge nach einem umgekehrten Schrägstrich.');
    });
  }

  private object(depth: number, keep: boolean): Map<string, JsonValue> {
    const result = new Map<string, JsonValue>();
    this.members((key) => {
      const value = this.value(depth + 1, keep);
      if (!keep) return;
      if (result.has(key)) {
        this.duplicateKeys += 1;
        result.delete(key);
      }
      result.set(key, value);
    });
    return result;
  }

  private array(depth: number, keep: boolean): JsonValue[] {
    const result: JsonValue[] = [];
    this.elements(() => {
      const value = this.value(depth + 1, keep);
      if (keep) result.push(value);
    });
    return result;
  }

  /** Parses an object; `onMember` must parse each value. */
  members(onMember: (key: string) => void): void {
    this.take('{', 'Hier wird { erwartet.');
    if (this.takeIf('}')) return;
    do {
      this.peek();
      const key = this.string();
      this.take(':', 'Hier wird ein Doppelpunkt erwartet.');
      onMember(key);
    } while (this.takeIf(','));
    this.take('}', 'Hier wird ein Komma oder } erwartet.');
  }

  /** Parses an array; `onElement` must parse each element. */
  elements(onElement: () => void): void {
    this.take('[', 'Hier wird [ erwartet.');
    if (this.takeIf(']')) return;
    do onElement();
    while (this.takeIf(','));
    this.take(']', 'Hier wird ein Komma oder ] erwartet.');
  }

  /** Checks that nothing but white space follows, or what closes a call or an assignment. */
  end(): void {
    if (this.isWrapped) {
      this.takeIf(')');
      this.takeIf(';');
      if (/[\w$]/u.test(this.peek()))
        this.fail('Die Datei enthält mehrere Aufrufe oder Zuweisungen, lesbar ist nur eine.');
    }
    const next = this.peek();
    const isLast = next === ',' && this.text.slice(this.position + 1).trim() === '';
    if (isLast) this.fail('Nach dem Ende der Daten steht ein überflüssiges Komma.');
    if (next === '{' || next === '[' || next === ',') this.fail(anotherText);
    if (next !== '') this.fail('Nach dem Ende der Daten folgt weiterer Text.');
  }
}

/** Opens a UTF-8 file that a JsonText reads in chunks; call `close` when done. */
export function pieceReader(
  path: string,
  start: number,
  onBytes: (bytes: number) => void,
): { more: () => string; close: () => void } {
  const descriptor = fs.openSync(path, 'r');
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const buffer = Buffer.alloc(1024 * 1024);
  let offset = start;
  const more = (): string => {
    for (;;) {
      const count = fs.readSync(descriptor, buffer, 0, buffer.length, offset);
      if (count === 0) return decoder.decode();
      offset += count;
      onBytes(count);
      const text = decoder.decode(buffer.subarray(0, count), { stream: true });
      if (text !== '') return text;
    }
  };
  return { more, close: () => fs.closeSync(descriptor) };
}
