import { describe, expect, it } from 'vitest';
import { fitQuery } from './item-views.tsx';
import { readQuery } from './items-query.ts';

const stored = (text: string) => readQuery(new URLSearchParams(text));
const named = [
  { id: 'f0001', name: 'titel' },
  { id: 'f0002', name: 'preis' },
];

describe('a saved view of the items grid', () => {
  it('refers to fields by name, whatever ids later imports gave them', () => {
    const today = [
      { id: 'f0001', name: 'marke', show: 1 as const },
      { id: 'f0002', name: 'titel', show: 1 as const },
      { id: 'f0003', name: 'preis', show: 0 as const },
    ];
    const filter = encodeURIComponent('[{"field":"f0002","mode":"is_greater","value":"3"}]');
    const { query, gone } = fitQuery(
      stored(`sortierung=f0001&filter=${filter}&spalten=f0002,f0001&seite=4`),
      named,
      today,
    );
    expect(gone).toEqual([]);
    expect(readQuery(query)).toMatchObject({
      page: 0,
      sort: 'f0002',
      filters: [{ field: 'f0003' }],
      columns: ['f0003', 'f0002'],
    });
  });

  it('leaves out fields that no longer exist and names each once', () => {
    const today = [{ id: 'f0001', name: 'titel', show: 1 as const }];
    const { query, gone } = fitQuery(stored('sortierung=f0002&spalten=f0001,f0002&suche=x'), named, today);
    expect(query.toString()).toBe('suche=x&spalten=f0001');
    expect(gone).toEqual(['das Feld „preis“']);
  });

  it('is unchanged if the fields could not be loaded', () => {
    const { query, gone } = fitQuery(stored('sortierung=f0002'), named, []);
    expect([query.toString(), gone]).toEqual(['sortierung=f0002', []]);
  });
});
