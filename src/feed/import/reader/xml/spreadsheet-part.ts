import { refuseColumn } from '#feed/import/reader/table/first-rows.ts';
import type { ImportLimits } from '#feed/import/reader/limits.ts';
import { attribute, localName } from '#feed/import/reader/xlsx/local-names.ts';
import type { DocumentSheet, OnSheetRow } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { numberText } from '#feed/import/reader/xlsx/xlsx-values.ts';
import type { XmlHandler } from './xml-events.ts';

/** Returns a position from 1, or undefined if none is given. */
function placeOf(attributes: Readonly<Record<string, string>>, name: string): number | undefined {
  const place = Number(attribute(attributes, name));
  return Number.isInteger(place) && place > 0 ? place : undefined;
}

/** Returns dates without a time, and times without a date (Excel writes its day 0 there), as for .xlsx. */
function dateText(value: string): string {
  return value
    .replace(/^1899-12-3[01]T(?=\d)/u, '')
    .replace(/T00:00:00(?:\.0+)?Z?$/u, '')
    .replace(/(?<=:\d\d)\.0+$/u, '');
}

/** Parses Excel's XML of 2003: one call per row that has any value. Gaps become empty cells, trailing ones are left out. */
export class SpreadsheetPart implements XmlHandler {
  private readonly limits: ImportLimits;
  private readonly onRow: OnSheetRow;
  private readonly path: string[] = [];
  readonly sheets: DocumentSheet[] = [];
  private cells: string[] = [];
  private row = 0;
  private rowEnd = 0;
  private column = 0;
  private nextColumn = 0;
  private type = '';
  private value = '';
  private captured: number | undefined;

  constructor(limits: ImportLimits, onRow: OnSheetRow) {
    this.limits = limits;
    this.onRow = onRow;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.path.at(-1);
    const local = localName(name);
    this.path.push(local);
    if (local === 'Worksheet') this.openSheet(attributes);
    else if (local === 'Row' && parent === 'Table') this.openRow(attributes);
    else if (local === 'Cell' && parent === 'Row') this.openCell(attributes);
    else if (local === 'Data' && parent === 'Cell') {
      this.type = attribute(attributes, 'Type') ?? 'String';
      this.capture();
    } else if (local === 'Visible' && parent === 'WorksheetOptions') this.capture();
  }

  private capture(): void {
    this.value = '';
    this.captured = this.path.length;
  }

  private openSheet(attributes: Readonly<Record<string, string>>): void {
    this.sheets.push({ name: attribute(attributes, 'Name') ?? '', visible: true, rows: 0 });
    this.rowEnd = 0;
  }

  private openRow(attributes: Readonly<Record<string, string>>): void {
    this.row = placeOf(attributes, 'Index') ?? this.rowEnd + 1;
    this.rowEnd = this.row + (placeOf(attributes, 'Span') ?? 0);
    this.cells = [];
    this.nextColumn = 0;
  }

  private openCell(attributes: Readonly<Record<string, string>>): void {
    const place = placeOf(attributes, 'Index');
    this.column = place === undefined ? this.nextColumn : place - 1;
    if (this.column >= Math.max(16_384, this.limits.columns)) refuseColumn(this.row);
    this.nextColumn = this.column + 1 + (placeOf(attributes, 'MergeAcross') ?? 0);
  }

  text(text: string): void {
    if (this.captured !== undefined) this.value += text;
  }

  close(): void {
    const local = this.path.pop();
    if (local === 'Row' && this.path.at(-1) === 'Table') this.closeRow();
    if (this.captured !== this.path.length + 1) return;
    this.captured = undefined;
    const sheet = this.sheets.at(-1);
    if (local === 'Data') this.place(this.cellText());
    else if (sheet) sheet.visible = !/hidden/iu.test(this.value);
  }

  private closeRow(): void {
    const sheet = this.sheets.at(-1);
    if (!sheet || this.cells.length === 0) return;
    sheet.rows += 1;
    this.onRow(this.sheets.length - 1, this.cells, this.row);
  }

  private place(text: string): void {
    if (text === '') return;
    while (this.cells.length < this.column) this.cells.push('');
    this.cells[this.column] = text;
  }

  private cellText(): string {
    const { value } = this;
    if (this.type === 'Number') return numberText(value.trim());
    if (this.type === 'DateTime') return dateText(value.trim());
    if (this.type === 'Boolean' && value !== '') return /^(?:1|true)$/iu.test(value.trim()) ? 'true' : 'false';
    return value;
  }
}
