import { expect, test } from 'vitest';
import { csvName } from './csv-name.ts';

test('a CSV file is named after its contents, with letters and digits that every file system accepts', () => {
  expect(csvName('Artikel', 'Winter 2026')).toBe('Artikel-Winter-2026.csv');
  expect(csvName('Regel', '  „Größe/Länge“ → ../x  ')).toBe('Regel-Größe-Länge-x.csv');
  expect(csvName('Regel', '', '…')).toBe('Regel.csv');
  expect(csvName('Regel', 'x'.repeat(500)).length).toBeLessThan(80);
});
