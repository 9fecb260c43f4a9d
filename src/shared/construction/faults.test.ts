import { describe, expect, it } from 'vitest';
import { constructionFaults, faultSentences } from './faults.ts';

const rows = (...names: string[]) => names.map((exportfield) => ({ exportfield }));
const many = (repeat: boolean) => ({ most: 5, separator: ',', repeat });
const fields = [
  { name: 'id', requirement: 'Required' as const },
  { name: 'title', requirement: 'Required' as const },
  { name: 'color', requirement: 'Recommended' as const, many: many(false) },
  { name: 'highlight', requirement: '' as const, many: many(true) },
];

describe('faults of a construction', () => {
  it('duplicate names are reported, also if they differ in blanks, unless the channel accepts them repeatedly', () => {
    const found = constructionFaults(
      rows('id', 'title', 'x', 'x ', 'color', 'color', 'highlight', 'highlight'),
      fields,
    );
    expect(found).toEqual({ nameless: 0, repeated: new Set(['x', 'color']), missing: [] });
    expect(faultSentences(found)).toEqual([
      'Mehrere Zeilen heißen „x“, „color“: Die Datei hat dann mehrere Spalten dieses Namens.',
    ]);
  });

  it('rows without a name and required fields without a row are reported, also when no row is left', () => {
    expect(faultSentences(constructionFaults(rows('id', ' ', '', 'title'), fields))).toEqual([
      '2 Zeilen haben keinen Namen und werden nicht ausgegeben.',
    ]);
    expect(faultSentences(constructionFaults([], fields))).toEqual(['Pflichtfelder ohne Zeile: id, title.']);
    expect(faultSentences(constructionFaults(rows('id', 'title'), fields))).toEqual([]);
  });
});
