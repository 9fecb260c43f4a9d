import { FlatColumns } from '#feed/import/reader/flat-columns.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { plainDigits } from '#feed/import/reader/xlsx/xlsx-values.ts';
import { JsonNumber, type JsonValue } from './json-text.ts';

/** Returns a value as compact JSON, numbers unchanged. */
function jsonOf(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${jsonOf(member)}`).join(',')}}`;
  return JSON.stringify(value);
}

/**
 * Some programs write short numbers with an exponent: in Java, a decimal of a hundred is 1E+2. Long exponents mean damaged item
 * numbers, which are reported in a warning.
 */
const shortExponent = /[eE](?:\+?0?[0-6]|-0?\d)$/u;

const numberOf = ({ digits }: JsonNumber): string => (shortExponent.test(digits) ? plainDigits(digits) : digits);

/** Returns the text of a value that is neither list nor object; undefined for those. */
export function scalarText(value: JsonValue): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value instanceof JsonNumber ? numberOf(value) : undefined;
}

/** Returns one value per line; JSON where lines would lose information. */
function arrayText(values: readonly JsonValue[]): string {
  if (values.length === 0) return '';
  const texts = values.map(scalarText);
  const plain = texts.every((text) => text !== undefined && !text.includes('\n'));
  return plain ? texts.filter((text) => text !== '').join('\n') : jsonOf([...values]);
}

/** Returns the cells of a row that is a list of values; undefined for anything else. */
export function rowCells(row: JsonValue): string[] | undefined {
  if (!Array.isArray(row)) return undefined;
  return row.map((value) => (Array.isArray(value) ? arrayText(value) : (scalarText(value) ?? jsonOf(value))));
}

/** Whether an item has no value in any field. */
const isEmpty = (cells: readonly (string | undefined)[]): boolean => cells.every((cell) => !cell || /^ *$/u.test(cell));

/** Passes JSON items to the staging: nested objects become `a.b`, lists one value per line. */
export class JsonItems {
  private readonly run: ImportRun;
  private readonly columns: FlatColumns;

  constructor(run: ImportRun) {
    this.run = run;
    this.columns = new FlatColumns(run.columns);
  }

  /** Adds an item. `key`: name and value of a field that is not in the item itself. */
  add(item: JsonValue, line: number, key?: readonly [name: string, value: string]): void {
    const { run } = this;
    run.rowsSeen += 1;
    if (!(item instanceof Map)) {
      this.reject(item, line, 'Der Eintrag ist kein Objekt mit Feldern.');
      return;
    }
    const cells: string[] = [];
    if (key) cells[this.columns.at('\u0000key', key[0])] = key[1];
    this.flatten(item, '', '', cells);
    if (isEmpty(cells)) {
      this.reject(item, line, 'Der Eintrag enthält keinen Wert.');
      return;
    }
    const long = cells.find((cell) => cell !== undefined && cell.length > run.limits.cell);
    if (long === undefined) run.staging.add(cells, line, run.rowsSeen);
    else this.reject(item, line, `Ein Wert ist größer als erlaubt (${sizeText(run.limits.cell)}).`);
  }

  reject(item: JsonValue, line: number, reason: string): void {
    this.run.rejects.reject(line, reason, jsonOf(item).slice(0, 10_000));
  }

  private flatten(item: Map<string, JsonValue>, path: string, header: string, cells: string[]): void {
    for (const [key, value] of item) {
      const here = path === '' ? key : `${path}\u0000${key}`;
      const name = path === '' ? key : `${header}.${key}`;
      if (value instanceof Map && value.size > 0) this.flatten(value, here, name, cells);
      else cells[this.columns.at(here, name)] = Array.isArray(value) ? arrayText(value) : (scalarText(value) ?? '');
    }
  }
}
