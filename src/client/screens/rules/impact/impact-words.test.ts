import { describe, expect, it } from 'vitest';
import { ExportImpact } from '#shared/rules/effect.ts';
import { impactLevel, impactWarning, impactWords, touchedExports } from './impact-words.ts';

const impact = (parts: Partial<ExportImpact> = {}): ExportImpact =>
  ExportImpact.parse({
    id: 'e',
    name: 'idealo',
    before: 100,
    after: 100,
    removed: 0,
    added: 0,
    changedItems: 0,
    changedValues: 0,
    fields: [],
    removedItems: [],
    addedItems: [],
    ...parts,
  });
const field = (name: string, required: boolean, emptied: number) => ({
  name,
  required,
  changed: 5,
  emptied,
  samples: [],
});

describe('the impact of a save on exports, in words', () => {
  it('RUL-14 names changed values, items that drop out and required fields that become empty', () => {
    const all = impact({
      changedValues: 1204,
      removed: 12,
      fields: [field('Preis', true, 3), field('Titel', false, 0), field('EAN', true, 1)],
    });
    expect(impactWords(all)).toBe(
      '1.204\u00a0Werte in 3\u00a0Feldern, 12\u00a0Artikel fallen heraus, Pflichtfeld Preis wird bei 3 leer, 1\u00a0weiteres Pflichtfeld auch',
    );
    expect(impactWords(impact({ removed: 1 }))).toBe('1\u00a0Artikel fällt heraus');
    expect(impactWords(impact({ added: 2 }))).toBe('2\u00a0Artikel kommen dazu');
    expect(impactWords(impact())).toBe('keine Änderung');
  });

  it('RUL-14 tells danger from notice, and puts the worst first', () => {
    expect(impactLevel(impact({ removed: 50 }))).toBe('notice');
    expect(impactLevel(impact({ removed: 51 }))).toBe('danger');
    expect(impactLevel(impact({ changedValues: 1, fields: [field('Preis', true, 1)] }))).toBe('danger');
    expect(impactLevel(impact({ changedValues: 1, fields: [field('Preis', false, 1)] }))).toBe('notice');
    expect(impactLevel(impact({ changedValues: 1, fields: [field('Preis', true, 0)] }))).toBe('quiet');
    const list = [
      impact({ id: 'a' }),
      impact({ id: 'b', added: 1 }),
      impact({ id: 'c', removed: 60 }),
      impact({ id: 'd', removed: 2 }),
    ];
    expect(touchedExports(list).map(({ id }) => id)).toEqual(['c', 'd', 'b']);
  });

  it('RUL-14 warns of the worst export, and only if its impact is dangerous', () => {
    expect(impactWarning([impact({ removed: 12 })])).toBeUndefined();
    expect(impactWarning([impact({ removed: 60 }), impact({ name: 'eBay', removed: 90 })])).toBe(
      'Achtung, eBay: 90 von 100\u00a0Artikeln fallen heraus. Auch 1\u00a0weiterer Export ist betroffen.',
    );
    expect(impactWarning([impact({ before: 1, removed: 1 })])).toBe(
      'Achtung, idealo: 1 von 1\u00a0Artikel fällt heraus.',
    );
    expect(impactWarning([impact({ changedValues: 3, fields: [field('Preis', true, 3)] })])).toBe(
      'Achtung, idealo: Pflichtfeld Preis wird bei 3\u00a0Artikeln leer.',
    );
  });
});
