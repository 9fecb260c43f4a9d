import type { ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { refuseColumn } from '#feed/import/reader/table/first-rows.ts';
import type { XmlHandler } from '#feed/import/reader/xml/xml-events.ts';
import { SheetNotes } from './sheet-notes.ts';
import { attribute, localName } from './local-names.ts';
import {
  columnLetters,
  columnOf,
  dateText,
  durationText,
  inFormat,
  numberKind,
  numberText,
  unescapeText,
  type NumberKind,
} from './xlsx-values.ts';

type SheetEntry = { name: string; relation: string; visible: boolean };

export class WorkbookPart implements XmlHandler {
  readonly sheets: SheetEntry[] = [];
  date1904 = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (localName(name) === 'workbookPr') this.date1904 = /^(1|true|on)$/iu.test(attributes['date1904'] ?? '');
    if (localName(name) !== 'sheet') return;
    const state = attributes['state'] ?? 'visible';
    const relation = attributes['r:id'] ?? Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    this.sheets.push({ name: attributes['name'] ?? '', relation, visible: state === 'visible' });
  }
  text(): void {}
  close(): void {}
}

export class RelationsPart implements XmlHandler {
  readonly targets = new Map<string, { target: string; type: string }>();

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (localName(name) !== 'Relationship') return;
    this.targets.set(attributes['Id'] ?? '', { target: attributes['Target'] ?? '', type: attributes['Type'] ?? '' });
  }
  text(): void {}
  close(): void {}
}

/** Reads the number formats of the cell styles: number, date, duration or article number. */
export class StylesPart implements XmlHandler {
  readonly kinds: NumberKind[] = [];
  private readonly codes = new Map<number, string>();
  private inCellFormats = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const local = localName(name);
    if (local === 'numFmt') this.codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
    else if (local === 'cellXfs') this.inCellFormats = true;
    else if (local === 'cellStyles' || local === 'dxfs') this.inCellFormats = false;
    else if (local === 'xf' && this.inCellFormats) {
      const id = Number(attributes['numFmtId'] ?? 0);
      this.kinds.push(numberKind(id, this.codes.get(id)));
    }
  }
  text(): void {}
  close(): void {}
}

const stringsLimit = 256 * 1024 * 1024;

export class SharedStringsPart implements XmlHandler {
  readonly strings: string[] = [];
  private current = '';
  private inText = false;
  private phonetic = 0;
  private characters = 0;

  open(name: string): void {
    const local = localName(name);
    if (local === 'si') this.current = '';
    if (local === 'rPh') this.phonetic += 1;
    this.inText = local === 't' && this.phonetic === 0;
    this.path.push(local);
  }
  text(text: string): void {
    if (this.inText) this.current += text;
  }
  close(): void {
    const local = this.path.pop();
    this.inText = false;
    if (local === 'rPh') this.phonetic -= 1;
    if (local !== 'si') return;
    this.characters += this.current.length;
    if (this.characters > stringsLimit) {
      throw new Refusal(
        'xlsx_too_large',
        'Die Excel-Datei enthält zu viel Text für einen Import. Es wurde nichts importiert. Bitte liefern Sie die Daten als CSV.',
      );
    }
    this.strings.push(unescapeText(this.current));
  }
  private readonly path: string[] = [];
}

export type SheetContext = {
  strings: readonly string[];
  kinds: readonly NumberKind[];
  date1904: boolean;
  limits: ImportLimits;
  /** Changes the text of a cell that is a number. */
  numberText?: ((text: string) => string) | undefined;
};

/** Parses a worksheet: one call per row that has any value. Gaps become empty cells, trailing ones are left out. */
export class WorksheetPart implements XmlHandler {
  private readonly context: SheetContext;
  private readonly onRow: (cells: string[], line: number) => void;
  private readonly path: string[] = [];
  private cells: string[] = [];
  private row = 0;
  private column = -1;
  private type = 'n';
  private style = 0;
  private value = '';
  private capture = false;
  private formula = false;
  private hidden = false;
  readonly notes = new SheetNotes();

  constructor(context: SheetContext, onRow: (cells: string[], line: number) => void) {
    this.context = context;
    this.onRow = onRow;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const local = localName(name);
    this.path.push(local);
    if (local === 'row') {
      const number = Number(attribute(attributes, 'r'));
      this.row = Number.isInteger(number) && number > 0 ? number : this.row + 1;
      this.cells = [];
      this.column = -1;
      this.hidden = /^(1|true)$/iu.test(attribute(attributes, 'hidden') ?? '');
    } else if (local === 'c') this.openCell(attributes);
    else if (local === 'f') this.formula = true;
    else if (local === 'mergeCell') this.notes.merged(attribute(attributes, 'ref') ?? '');
    else if (local === 'v' || local === 't') this.capture = this.path.includes('c') && !this.path.includes('rPh');
  }

  private openCell(attributes: Readonly<Record<string, string>>): void {
    const column = columnOf(attributes['r'] ?? '');
    this.column = column >= 0 ? column : this.column + 1;
    if (this.column >= Math.max(16_384, this.context.limits.columns)) {
      refuseColumn(this.row);
    }
    this.type = attributes['t'] ?? 'n';
    this.style = Number(attributes['s'] ?? 0);
    this.value = '';
    this.formula = false;
  }

  text(text: string): void {
    if (this.capture) this.value += text;
  }

  close(): void {
    const local = this.path.pop();
    this.capture = false;
    if (local === 'c') {
      const text = this.cellText();
      if (text === '' && this.formula && this.type === 'n') this.notes.formulaWithoutValue(this.reference());
      else if (this.type === 'e') this.notes.error(text, this.reference());
      if (text !== '') {
        while (this.cells.length < this.column) this.cells.push('');
        this.cells[this.column] = text;
      }
    } else if (local === 'row' && this.cells.length > 0) {
      if (this.hidden) this.notes.hiddenRow(this.row);
      this.onRow(this.cells, this.row);
    }
  }

  private reference(): string {
    return `${columnLetters(this.column)}${this.row}`;
  }

  private cellText(): string {
    const { value } = this;
    switch (this.type) {
      case 's':
        return this.sharedText(value.trim());
      case 'inlineStr':
      case 'str':
        return unescapeText(value);
      case 'b':
        return value === '' ? '' : /^(1|true)$/iu.test(value.trim()) ? 'true' : 'false';
      case 'e':
        return value;
      case 'd':
        return value.replace(/T00:00:00(\.0+)?Z?$/u, '');
      default:
        return this.numberText(value.trim());
    }
  }

  private sharedText(number: string): string {
    if (number === '') return '';
    const text = this.context.strings[Number(number)];
    if (text === undefined) this.notes.textMissing(this.reference());
    return text ?? '';
  }

  private numberText(value: string): string {
    if (value === '') return '';
    const kind = this.context.kinds[this.style] ?? 'number';
    if (kind === 'date') return dateText(value, this.context.date1904);
    if (kind === 'duration') return durationText(value);
    const text = inFormat(numberText(value), kind);
    return this.context.numberText?.(text) ?? text;
  }
}
