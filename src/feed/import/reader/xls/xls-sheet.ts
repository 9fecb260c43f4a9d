import { refuseColumn } from '#feed/import/reader/table/first-rows.ts';
import type { SheetNotes } from '#feed/import/reader/xlsx/sheet-notes.ts';
import { columnLetters, dateText, durationText, inFormat, numberText } from '#feed/import/reader/xlsx/xlsx-values.ts';
import { BiffReader, type BiffRecord, record, recordsFrom } from './biff.ts';
import { refuseBroken } from './compound-file.ts';
import type { XlsWorkbook } from './xls-workbook.ts';

/** Texts shown by cells with an error, by error code. */
const errors = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

const CALCULATE_ON_LOAD = 2;

/** Limit of the file format. */
const mostColumns = 256;

/** The cells of rows, by row number from 0. */
type Rows = Map<number, string[]>;
type Place = { row: number; column: number; kind: XlsWorkbook['kinds'][number] };

type SheetRows = {
  /** Rows with any value, in order, at most 65,536. `row` counts from 1. */
  rows: { cells: string[]; row: number }[];
  /** Number of bytes of the stream that were walked to read them. */
  bytes: number;
};

/** Reads the sheet that begins at an offset of the stream. @throws Refusal if no sheet begins there */
export function readSheet(stream: Buffer, start: number, book: XlsWorkbook, notes: SheetNotes): SheetRows {
  if (start + 4 > stream.length || stream.readUInt16LE(start) !== record.begin) refuseBroken();
  const sheet = new Sheet(book, notes);
  let bytes = 0;
  const onWalked = (walked: number) => {
    bytes += walked;
  };
  for (const each of recordsFrom(stream, start, onWalked)) sheet.take(each);
  return { rows: sheet.finish(), bytes };
}

class Sheet {
  private readonly book: XlsWorkbook;
  private readonly notes: SheetNotes;
  private readonly rows: Rows = new Map();
  private readonly hidden = new Set<number>();
  /** The cell of a formula whose text follows in a separate record. */
  private awaited: Place | undefined;
  /** Formulas with result 0 that Excel is to calculate on opening, and the number of all other formulas. */
  private readonly zeros: Place[] = [];
  private calculated = 0;

  constructor(book: XlsWorkbook, notes: SheetNotes) {
    this.book = book;
    this.notes = notes;
  }

  take(each: BiffRecord): void {
    const reader = new BiffReader(each);
    switch (each.kind) {
      case record.row:
        return this.row(reader);
      case record.merged:
        return this.merged(reader);
      case record.numbers:
        return this.packedNumbers(reader, each.data.length);
      case record.formulaText:
        if (this.awaited) this.set(this.awaited, this.book.textOf(reader));
        this.awaited = undefined;
        return;
      case record.formula:
      case record.sharedText:
      case record.number:
      case record.packedNumber:
      case record.text:
      case record.richText:
      case record.truth:
        return this.cell(each.kind, this.place(reader), reader);
    }
  }

  finish(): SheetRows['rows'] {
    if (this.calculated === 0) this.emptyZeros();
    const numbers = [...this.rows.keys()].toSorted((a, b) => a - b);
    return numbers.map((number) => {
      if (this.hidden.has(number)) this.notes.hiddenRow(number + 1);
      return { cells: this.rows.get(number) ?? [], row: number + 1 };
    });
  }

  private row(reader: BiffReader): void {
    const number = reader.short();
    reader.skip(10);
    if ((reader.short() & 0x20) !== 0) this.hidden.add(number);
  }

  private merged(reader: BiffReader): void {
    for (let left = reader.short(); left > 0 && !reader.done; left -= 1) {
      const [from, to, first] = [reader.short(), reader.short(), reader.short()];
      reader.short();
      if (this.rows.get(from)?.[first])
        this.notes.merged(`${columnLetters(first)}${from + 1}:${columnLetters(first)}${to + 1}`);
    }
  }

  private place(reader: BiffReader): Place {
    const [row, column] = [reader.short(), reader.short()];
    return { row, column, kind: this.book.kinds[reader.short()] ?? 'number' };
  }

  private packedNumbers(reader: BiffReader, bytes: number): void {
    const row = reader.short();
    const first = reader.short();
    // Six bytes for row, first and last column, then six bytes per cell.
    for (let at = 0; at < Math.floor((bytes - 6) / 6); at += 1) {
      const kind = this.book.kinds[reader.short()] ?? 'number';
      this.set({ row, column: first + at, kind }, shownNumber(packedNumber(reader.long()), kind, this.book.date1904));
    }
  }

  private cell(kind: number, place: Place, reader: BiffReader): void {
    const { book } = this;
    if (kind === record.sharedText) this.set(place, book.strings[reader.long()] ?? '');
    else if (kind === record.number) this.set(place, shownNumber(double(reader), place.kind, book.date1904));
    else if (kind === record.packedNumber)
      this.set(place, shownNumber(packedNumber(reader.long()), place.kind, book.date1904));
    else if (kind === record.truth) {
      const value = reader.byte();
      this.single(place, value, reader.byte() === 1);
    } else if (kind === record.formula) this.formula(place, reader);
    else this.set(place, book.textOf(reader));
  }

  /** Reads a formula's result: a number, or a value type marked by 0xFFFF in the last two bytes. */
  private formula(place: Place, reader: BiffReader): void {
    const bytes = Buffer.from(Array.from({ length: 8 }, () => reader.byte()));
    this.awaited = undefined;
    if ((reader.short() & CALCULATE_ON_LOAD) !== 0 && bytes.every((byte) => byte === 0)) this.zeros.push(place);
    else this.calculated += 1;
    if (bytes.readUInt16LE(6) !== 0xff_ff)
      this.set(place, shownNumber(bytes.readDoubleLE(0), place.kind, this.book.date1904));
    else if (bytes[0] === 0) this.awaited = place;
    else if (bytes[0] === 1 || bytes[0] === 2) this.single(place, bytes[2] ?? 0, bytes[0] === 2);
  }

  /** Empties all zeros of a program that does not calculate: it writes 0 for every formula and leaves the rest to Excel. */
  private emptyZeros(): void {
    for (const { row, column } of this.zeros) {
      const cells = this.rows.get(row);
      if (!cells) continue;
      cells[column] = '';
      this.notes.formulaWithoutValue(`${columnLetters(column)}${row + 1}`);
      if (cells.every((cell) => cell === '')) this.rows.delete(row);
    }
  }

  private single(place: Place, value: number, isError: boolean): void {
    if (!isError) return this.set(place, value === 0 ? 'false' : 'true');
    const text = errors.get(value) ?? '#N/A';
    this.notes.error(text, `${columnLetters(place.column)}${place.row + 1}`);
    this.set(place, text);
  }

  private set({ row, column }: Place, text: string): void {
    if (text === '') return;
    if (column >= mostColumns) refuseColumn(row + 1);
    const cells = this.rows.get(row) ?? [];
    this.rows.set(row, cells);
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }
}

function double(reader: BiffReader): number {
  return Buffer.from(Array.from({ length: 8 }, () => reader.byte())).readDoubleLE(0);
}

/** Decodes a number of four bytes: a 30-bit integer, or the upper 30 bits of a 64-bit float; either may be in hundredths. */
function packedNumber(packed: number): number {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE((packed & 0xff_ff_ff_fc) >>> 0, 4);
  const value = (packed & 2) === 0 ? bytes.readDoubleLE(0) : bytes.readInt32LE(4) >> 2;
  return (packed & 1) === 0 ? value : value / 100;
}

function shownNumber(value: number, kind: Place['kind'], date1904: boolean): string {
  if (!Number.isFinite(value)) return '';
  const raw = String(value);
  if (kind === 'date') return dateText(raw, date1904);
  if (kind === 'duration') return durationText(raw);
  return inFormat(numberText(raw), kind);
}
