import { Refusal } from './refusal.ts';
import { countText, type ImportLimits } from './limits.ts';

export type Column = { header: string };
export type NamedColumn = { header: string; name: string; id: string };

/** Returns a header as users see it: no control characters or direction marks, each run of white space as one blank. */
function displayName(header: string): string {
  const shown = header.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
  // oxlint-disable-next-line no-control-regex -- the control characters are removed here
  const text = shown.replaceAll(/[\u0000-\u001f\u007f\u200b\u2060\ufeff\s]+/gu, ' ').trim();
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** The columns of one import in order of first appearance. A column is identified by its header and occurrence. */
export class Columns {
  private readonly byKey = new Map<string, number>();
  private readonly limits: ImportLimits;
  readonly list: Column[] = [];
  /** Number of columns of the archive's earlier files, and whether the current file has any of those columns. */
  private before = 0;
  private shared = false;

  constructor(limits: ImportLimits) {
    this.limits = limits;
  }

  get count(): number {
    return this.list.length;
  }

  /** Returns the index of the `occurrence`-th (from 0) column called `header`; adds the column if it is new. */
  at(header: string, occurrence = 0): number {
    const key = occurrence === 0 ? header : `${occurrence}\u0000${header}`;
    const known = this.byKey.get(key);
    if (known !== undefined) {
      this.shared ||= known < this.before;
      return known;
    }
    if (this.list.length >= this.limits.columns) {
      throw new Refusal(
        'too_many_columns',
        `Die Datei hat mehr als ${countText(this.limits.columns)} Spalten. Es wurde nichts importiert. Bitte exportieren Sie nur die benötigten Spalten.`,
      );
    }
    this.list.push({ header });
    this.byKey.set(key, this.list.length - 1);
    return this.list.length - 1;
  }

  /** Marks that the columns that follow belong to the next file of the same archive. */
  beginFile(): void {
    this.before = this.list.length;
    this.shared = false;
  }

  /** Whether the current file has columns, but none in common with the files before it. */
  get isApart(): boolean {
    return this.before > 0 && !this.shared && this.list.length > this.before;
  }

  /** Returns the column indexes of one header row: repeated headers become separate columns. */
  forHeader(headers: readonly string[]): number[] {
    const seen = new Map<string, number>();
    return headers.map((header) => {
      const occurrence = seen.get(header) ?? 0;
      seen.set(header, occurrence + 1);
      return this.at(header, occurrence);
    });
  }

  /**
   * Unique names and stable ids: a nameless column is 'Spalte 13', a repeated one 'Bild (2)'; a name that an earlier
   * snapshot had keeps its id, new names get numbers after the highest one ever used.
   */
  named(known: readonly { id: string; name: string }[]): NamedColumn[] {
    const ids = new Map(known.map((field) => [field.name, field.id]));
    let highest = known.reduce((top, field) => Math.max(top, Number(field.id.slice(1))), 0);
    const used = new Set<string>();
    return this.list.map((column, index) => {
      const base = displayName(column.header) || `Spalte ${index + 1}`;
      let name = base;
      for (let copy = 2; used.has(name); copy += 1) name = `${base} (${copy})`;
      used.add(name);
      const id = ids.get(name) ?? `f${String((highest += 1)).padStart(4, '0')}`;
      return { header: column.header, name, id };
    });
  }
}
