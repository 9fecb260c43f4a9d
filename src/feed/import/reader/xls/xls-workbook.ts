import iconv from 'iconv-lite';
import { numberKind, type NumberKind } from '#feed/import/reader/xlsx/xlsx-values.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { BiffReader, type BiffRecord, record, recordsFrom } from './biff.ts';

/** Excel 97 and later. Earlier versions wrote texts with one byte a character, in the code page of the machine. */
const EXCEL_97 = 0x600;
const EXCEL_5 = 0x500;

type SheetPlace = { name: string; visible: boolean; start: number };

/** What all sheets share: their offsets, texts, formats and calendar. */
export type XlsWorkbook = {
  sheets: readonly SheetPlace[];
  strings: readonly string[];
  kinds: readonly NumberKind[];
  date1904: boolean;
  /** Reads a text that begins with its number of characters, as in cells. */
  textOf: (reader: BiffReader) => string;
};

/** Reads the first part of the stream. @throws Refusal for a password, or a format older than Excel 5 */
export function readWorkbook(stream: Buffer): XlsWorkbook {
  const book = new Globals();
  for (const each of recordsFrom(stream, 0)) book.take(each);
  return book.finish();
}

class Globals {
  private version = 0;
  private codePage = 1252;
  private readonly sheets: SheetPlace[] = [];
  private readonly starts = new Set<number>();
  private strings: string[] = [];
  private readonly codes = new Map<number, string>();
  private readonly formats: number[] = [];
  private date1904 = false;

  take(each: BiffRecord): void {
    const reader = new BiffReader(each);
    if (each.kind === record.begin) this.begin(reader);
    else if (each.kind === record.password) refuseLocked();
    else if (each.kind === record.codePage) this.codePage = reader.short();
    else if (each.kind === record.date1904) this.date1904 = reader.short() === 1;
    else if (each.kind === record.sheet) this.sheet(reader);
    else if (each.kind === record.format) this.codes.set(reader.short(), this.formatText(reader));
    else if (each.kind === record.style) {
      reader.skip(2);
      this.formats.push(reader.short());
    } else if (each.kind === record.strings) this.strings = sharedStrings(reader);
  }

  finish(): XlsWorkbook {
    const kinds = this.formats.map((id) => numberKind(id, this.codes.get(id)));
    const { sheets, strings, date1904 } = this;
    return { sheets, strings, kinds, date1904, textOf: (reader) => this.cellText(reader) };
  }

  private begin(reader: BiffReader): void {
    this.version = reader.short();
    if (this.version === EXCEL_97 || this.version === EXCEL_5) return;
    throw new Refusal(
      'foreign_format',
      'Die Datei ist eine Excel-Datei von vor 1993 und nicht lesbar. Es wurde nichts importiert. Bitte speichern Sie sie als .xlsx oder CSV.',
    );
  }

  private sheet(reader: BiffReader): void {
    const start = reader.long();
    const hidden = reader.byte() & 3;
    const kind = reader.byte();
    const characters = reader.byte();
    const name = this.text(reader, characters);
    // Kind 0 is a worksheet; charts and modules have no rows.
    if (kind !== 0 || this.starts.has(start)) return;
    this.starts.add(start);
    this.sheets.push({ name, visible: hidden === 0, start });
  }

  private formatText(reader: BiffReader): string {
    return this.text(reader, this.version === EXCEL_97 ? reader.short() : reader.byte());
  }

  private cellText(reader: BiffReader): string {
    return this.text(reader, reader.short());
  }

  private text(reader: BiffReader, characters: number): string {
    if (this.version === EXCEL_97) return reader.text(characters);
    const bytes = Buffer.from(Array.from({ length: characters }, () => reader.byte()));
    const page = `cp${this.codePage}`;
    return iconv.decode(bytes, iconv.encodingExists(page) ? page : 'windows-1252');
  }
}

function sharedStrings(reader: BiffReader): string[] {
  reader.skip(4);
  const count = reader.long();
  const strings: string[] = [];
  // Some programs write a wrong count: the texts that exist are read.
  while (strings.length < count && !reader.done) strings.push(reader.text(reader.short()));
  return strings;
}

export function refuseLocked(): never {
  throw new Refusal(
    'password',
    'Die Datei ist mit einem Kennwort geschützt. Es wurde nichts importiert. Bitte entfernen Sie das Kennwort.',
  );
}
