import { describe, expect, it } from 'vitest';
import type { ItemExportValue } from '#shared/explain/schema.ts';
import { countMarks, exportRows, markedRows, markOf } from './export-rows.ts';

const value = (name: string, more: Partial<ItemExportValue> = {}): ItemExportValue => ({
  name,
  written: 'x',
  origin: 'unchanged',
  imported: null,
  problems: [],
  ...more,
});
const error = { severity: 'error' as const, sentence: 'leer' };
const warning = { severity: 'warning' as const, sentence: 'lang' };

describe('the values of an item in all exports', () => {
  it('have one row per field, those in most exports first', () => {
    const rows = exportRows([
      { values: [value('id'), value('link')] },
      { values: [value('preis'), value('link'), value('id')] },
    ]);
    expect(rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.name)])).toEqual([
      ['id', 'id', 'id'],
      ['link', 'link', 'link'],
      ['preis', undefined, 'preis'],
    ]);
  });

  it('keep every column of an export that has two of the same name', () => {
    const rows = exportRows([{ values: [value('bild', { written: '1' }), value('bild', { written: '2' })] }]);
    expect(rows.map(({ cells }) => cells[0]?.written)).toEqual(['1', '2']);
  });

  it('show the most serious mark only; rows without a mark can be hidden', () => {
    const all = [
      value('a', { origin: 'changed', problems: [warning, error] }),
      value('b', { origin: 'changed', problems: [warning] }),
      value('c', { origin: 'changed' }),
      value('d', { origin: 'combined' }),
      value('e'),
    ];
    expect(all.map(markOf)).toEqual(['error', 'warning', 'changed', 'plain', 'plain']);
    expect(countMarks({ values: all })).toEqual({ error: 1, warning: 1, changed: 1, plain: 2 });
    expect(markedRows(exportRows([{ values: all }])).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });
});
