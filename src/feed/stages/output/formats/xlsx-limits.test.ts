import { describe, expect, it } from 'vitest';
import { requireSheetFits } from './xlsx-limits.ts';

describe('the size of a worksheet', () => {
  it('allows 1,048,576 rows including the header; more is refused with advice', () => {
    expect(() => requireSheetFits(1_048_575, 3, true)).not.toThrow();
    expect(() => requireSheetFits(1_048_576, 3, false)).not.toThrow();
    expect(() => requireSheetFits(1_048_576, 3, true)).toThrow('fasst 1.048.575 Artikel, der Export hat 1.048.576.');
    expect(() => requireSheetFits(1_048_577, 3, false)).toThrow(/wählen Sie CSV/);
  });

  it('allows 16,384 columns', () => {
    expect(() => requireSheetFits(1, 16_384, true)).not.toThrow();
    expect(() => requireSheetFits(1, 16_385, true)).toThrow('fasst 16.384 Spalten, der Export hat 16.385.');
  });
});
