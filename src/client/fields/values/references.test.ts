import { describe, expect, it } from 'vitest';
import { nameOfReference, partOfReference, referenceOf } from './references.ts';

describe('references', () => {
  it('GEN-08 references distinguish mappings and internal fields from fields of the same name, in both directions', () => {
    const parts = [
      { type: '_field', value: 'Farbe', caption: 'Farbe' },
      { type: '_mapping', value: 'Farbe', caption: 'Farbe' },
      { type: '_intern', value: 'category', caption: 'category' },
      { type: '_intern', value: '_id', caption: '_id' },
      { type: '_mapping', value: 'zwei:Teile\nlang', caption: 'zwei:Teile\nlang' },
    ] as const;
    expect(parts.map(referenceOf)).toEqual([
      'Farbe',
      '_mapping:Farbe',
      '_intern:category',
      '_id',
      '_mapping:zwei:Teile\nlang',
    ]);
    expect(parts.map((part) => partOfReference(referenceOf(part)))).toEqual(parts);
  });

  it('a reference to a mapping that no longer exists is named without its prefix', () => {
    expect(['_mapping:Farbe', 'Farbe', '_mapping:'].map(nameOfReference)).toEqual([
      'Mapping Farbe',
      'Farbe',
      '_mapping:',
    ]);
  });
});
