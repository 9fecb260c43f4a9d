import { countText, type ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { refuseColumn } from '#feed/import/reader/table/first-rows.ts';
import { localName } from '#feed/import/reader/xlsx/local-names.ts';
import type { DocumentSheet, OnSheetRow } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { SheetNotes } from '#feed/import/reader/xlsx/sheet-notes.ts';
import { columnLetters } from '#feed/import/reader/xlsx/xlsx-values.ts';
import type { XmlHandler } from '#feed/import/reader/xml/xml-events.ts';
import { cellText, spaces, type CellValue } from './ods-values.ts';

type Attributes = Readonly<Record<string, string>>;

/** Rows of a sheet in LibreOffice: a repeat of its last row beyond them has no meaning. */
const mostRows = 1_048_576;
/** Whether an element inside a cell holds texts that are not the cell's: notes, shapes and pictures, nested tables. */
const isBeside = (name: string): boolean =>
  name.startsWith('draw:') || /^(?:office:annotation|text:note|text:ruby-text|table:shapes|table:table)$/u.test(name);

/**
 * Parses the content of an OpenDocument spreadsheet: one call per row that has any value. Gaps become empty cells, trailing ones
 * are left out. Repeated cells and rows are expanded; `onRepeat` gets the characters that this adds.
 */
export class OdsPart implements XmlHandler {
  private readonly limits: ImportLimits;
  private readonly onRow: OnSheetRow;
  private readonly onRepeat: (characters: number) => void;
  private readonly path: string[] = [];
  readonly sheets: (DocumentSheet & { notes: SheetNotes })[] = [];
  private readonly hiddenStyles = new Set<string>();
  private style = '';
  private cells: string[] = [];
  private row = 0;
  private rowRepeat = 1;
  private rowHidden = false;
  private column = 0;
  private cell: (CellValue & { repeat: number; rowsSpanned: number; formula: boolean }) | undefined;
  private paragraphs = 0;
  private skippedDepth = 0;
  /** The current table is not one of this file's sheets. */
  private foreign = false;

  constructor(limits: ImportLimits, onRow: OnSheetRow, onRepeat: (characters: number) => void) {
    this.limits = limits;
    this.onRow = onRow;
    this.onRepeat = onRepeat;
  }

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    this.path.push(name);
    if (this.cell !== undefined) this.openInCell(name, attributes);
    else if (local === 'style') this.style = attributes['style:name'] ?? '';
    else if (local === 'table-properties' && attributes['table:display'] === 'false') this.hiddenStyles.add(this.style);
    else if (name === 'table:table') this.openSheet(attributes);
    else if (name === 'table:table-source') this.forgetSheet();
    else if (local === 'table-row') this.openRow(attributes);
    else if (local === 'table-cell' || local === 'covered-table-cell') this.openCell(attributes);
  }

  private openSheet(attributes: Attributes): void {
    this.row = 0;
    this.foreign = this.path.includes('table:dde-links');
    if (this.foreign) return;
    const visible = !this.hiddenStyles.has(attributes['table:style-name'] ?? '');
    this.sheets.push({ name: attributes['table:name'] ?? '', visible, rows: 0, notes: new SheetNotes() });
  }

  /** LibreOffice's copy of a linked file is not a sheet of this one, and its name is a path on somebody's machine. */
  private forgetSheet(): void {
    this.foreign = true;
    this.sheets.pop();
  }

  private openRow(attributes: Attributes): void {
    this.cells = [];
    this.column = 0;
    this.rowRepeat = countOf(attributes['table:number-rows-repeated']);
    this.rowHidden = /^(?:collapse|filter)$/u.test(attributes['table:visibility'] ?? '');
  }

  private openCell(attributes: Attributes): void {
    this.cell = {
      type: attributes['office:value-type'] ?? '',
      value: attributes['office:value'] ?? '',
      date: attributes['office:date-value'] ?? '',
      time: attributes['office:time-value'] ?? '',
      truth: attributes['office:boolean-value'] ?? '',
      text: attributes['office:string-value'] ?? '',
      isError: attributes['calcext:value-type'] === 'error',
      shown: '',
      repeat: countOf(attributes['table:number-columns-repeated']),
      rowsSpanned: countOf(attributes['table:number-rows-spanned']),
      formula: attributes['table:formula'] !== undefined,
    };
    this.paragraphs = 0;
    this.skippedDepth = 0;
  }

  private openInCell(name: string, attributes: Attributes): void {
    const local = localName(name);
    if (isBeside(name)) this.skippedDepth += 1;
    if (!this.cell || this.skippedDepth > 0) return;
    if (local === 'p') {
      if (this.paragraphs > 0) this.show('\n');
      this.paragraphs += 1;
    } else if (local === 's') this.show(spaces(countOf(attributes['text:c']), this.limits.cell));
    else if (local === 'tab') this.show('\t');
    else if (local === 'line-break') this.show('\n');
  }

  text(text: string): void {
    if (this.skippedDepth === 0 && this.path.includes('text:p')) this.show(text);
  }

  /** Appends text to the cell. A cell over the limit is rejected with its row, so no more of it is kept. */
  private show(text: string): void {
    if (this.cell && this.cell.shown.length <= this.limits.cell) this.cell.shown += text;
  }

  close(): void {
    const name = this.path.pop() ?? '';
    const local = localName(name);
    if (isBeside(name) && this.cell) this.skippedDepth -= 1;
    else if (this.skippedDepth > 0 && this.cell) return;
    else if (local === 'table-cell' || local === 'covered-table-cell') this.closeCell();
    else if (local === 'table-row') this.closeRow();
  }

  private closeCell(): void {
    const { cell } = this;
    this.cell = undefined;
    const notes = this.sheets.at(-1)?.notes;
    if (!cell || !notes || this.foreign) return;
    const text = cellText(cell);
    const end = this.column + cell.repeat;
    const reference = () => `${columnLetters(this.column)}${this.row + 1}`;
    if (text === '' && cell.formula && cell.type === '') notes.formulaWithoutValue(reference());
    if (text !== '') {
      if (end > Math.max(16_384, this.limits.columns)) refuseColumn(this.row + 1);
      if (cell.isError) notes.error(text, reference());
      if (cell.rowsSpanned > 1)
        notes.merged(`${reference()}:${columnLetters(this.column)}${this.row + cell.rowsSpanned}`);
      while (this.cells.length < this.column) this.cells.push('');
      for (let at = this.column; at < end; at += 1) this.cells.push(text);
      if (cell.repeat > 1) this.onRepeat(text.length * cell.repeat);
    }
    this.column = end;
  }

  private closeRow(): void {
    const sheet = this.sheets.at(-1);
    const first = this.row;
    this.row = Math.min(mostRows, first + this.rowRepeat);
    if (!sheet || this.foreign || this.cells.length === 0) return;
    const characters = this.cells.reduce((sum, cell) => sum + cell.length + 1, 0);
    if (characters > this.limits.record) refuseRow(first + 1, this.limits.record);
    for (let row = first; row < this.row; row += 1) {
      if (row > first) this.onRepeat(characters);
      sheet.rows += 1;
      if (this.rowHidden) sheet.notes.hiddenRow(row + 1);
      this.onRow(this.sheets.length - 1, [...this.cells], row + 1);
    }
  }
}

function refuseRow(row: number, most: number): never {
  throw new Refusal(
    'line_too_long',
    `Zeile ${countText(row)} ist länger als erlaubt (${countText(most)} Zeichen). Es wurde nichts importiert. Bitte prüfen Sie die Datei.`,
    row,
  );
}

/** Returns a repeat count; 1 if none is given. */
function countOf(text: string | undefined): number {
  const count = Number(text ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
}
