import { describe, expect, it } from 'vitest';
import { cell } from './spreadsheet-csv.ts';

describe('a cell of a spreadsheet', () => {
  it.each(
    ['=', '+', '-', '@', '\t', '\r', '\n', '\0'].flatMap((start) => [`${start}cmd|'/c calc'!A0`, `${start}SUMME(1;2)`]),
  )('T21 writes %j so that it does not run as a formula', (value) => expect(cell(value)).toBe(`"'${value}"`));

  it.each(['-12,50', '+49', '-1.234,5', '1=2', 'a@b.de', '', ' =1'])('T21 is %j as it was', (value) => {
    expect(cell(value)).toBe(`"${value}"`);
  });

  it('T21 doubles quotes, so that no value ends its cell', () => {
    expect(cell('="x"')).toBe('"\'=""x"""');
  });
});
