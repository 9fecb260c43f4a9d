import { describe, expect, it } from 'vitest';
import type { SourceField } from '#shared/construction/schema.ts';
import { countEntries, findEntries, firstEntries, goneSource, groupsOf, typedEntry } from './picker-groups.ts';

const fields: SourceField[] = [
  { name: 'Titel', value: 'Titel', origin: 'import' },
  { name: 'Untertitel', value: 'Untertitel', origin: 'import' },
  { name: 'zustand', value: 'zustand', origin: '' },
];
const names = (groups: ReturnType<typeof groupsOf>) => groups.flatMap(({ entries }) => entries.map(({ name }) => name));

describe('picker groups', () => {
  it('GEN-08 project fields and the internal item number are listed under their own headings', () => {
    expect(groupsOf(fields, true).map(({ heading }) => heading)).toEqual(['Projektfelder', 'Interne Felder']);
    expect(names(groupsOf(fields, false))).toEqual(['Titel', 'Untertitel', 'zustand']);
    expect(groupsOf(fields, false)[0]?.entries[2]?.note).toBe('aus einer Regel');
  });

  it("HDR-08 the user's note on a field is shown next to it, unless a rule writes the field", () => {
    const noted = fields.map((field) => ({ ...field, note: `zu ${field.name}` }));
    expect(groupsOf(noted, false)[0]?.entries.map(({ note }) => note)).toEqual([
      'zu Titel',
      'zu Untertitel',
      'aus einer Regel',
    ]);
  });

  it('GEN-07 one typed character does not filter the list, two filter it without regard to case', () => {
    const groups = groupsOf(fields, true);
    expect(names(findEntries(groups, 'z'))).toHaveLength(4);
    expect(names(findEntries(groups, 'TITEL'))).toEqual(['Titel', 'Untertitel']);
    expect(findEntries(groups, 'gibt es nicht')).toEqual([]);
  });

  it('GEN-07 exact names come first, then names that begin with the text; paths count by their last part', () => {
    const entry = (name: string) => ({ type: '_default' as const, value: name, name });
    const groups = [
      { heading: 'Vorschläge', entries: [entry('Rennschuhe')] },
      { heading: 'Alle', entries: ['Sport > Schuhe > Zubehör', 'Schuhregal', 'Sport > Schuhe', 'Schuhe'].map(entry) },
    ];
    expect(names(findEntries(groups, 'schuhe'))).toEqual([
      'Schuhe',
      'Sport > Schuhe',
      'Sport > Schuhe > Zubehör',
      'Rennschuhe',
    ]);
    expect(names(findEntries(groups, 'schuh')).slice(0, 3)).toEqual(['Schuhregal', 'Schuhe', 'Sport > Schuhe']);
  });

  it('GEN-08 typed text selects the entry of exactly that name, else it becomes a fixed text', () => {
    const groups = groupsOf(fields, true);
    expect(typedEntry(groups, ' Titel ')).toMatchObject({ type: '_field', value: 'Titel' });
    expect(typedEntry(groups, 'Tite')).toEqual({ type: '_string', value: 'Tite', name: 'Tite' });
    expect([null, '', '  '].map((typed) => typedEntry(groups, typed))).toEqual([undefined, undefined, undefined]);
  });

  it('the first entries are taken across the groups', () => {
    const groups = groupsOf(fields, true);
    expect(countEntries(groups)).toBe(4);
    expect(names(firstEntries(groups, 2))).toEqual(['Titel', 'Untertitel']);
    expect(names(firstEntries(groups, 50))).toHaveLength(4);
  });

  it('a source that an import no longer has, or a mapping that is gone, is named; what is offered or internal is not', () => {
    const groups = groupsOf(fields, true, [{ type: '_mapping', name: 'Farben', value: 'Farben' }]);
    expect(goneSource(groups, 'Preis')).toBe('Das Feld „Preis“ gibt es nicht (mehr).');
    expect(goneSource(groups, '_mapping:Größen')).toBe(
      'Das Mapping „Größen“ gibt es nicht (mehr), oder es ist pausiert.',
    );
    for (const offered of ['', 'Titel', '_id', '_mapping:Farben', '_intern:category_name'])
      expect(goneSource(groups, offered)).toBeUndefined();
    // Before the first import no field is known.
    expect(goneSource(groupsOf([], true), 'Preis')).toBeUndefined();
  });
});
