import { describe, expect, it } from 'vitest';
import { fieldsShape, rowsShape } from './document-shape.ts';

type Line = { id: string; text: string; active?: boolean };
const rows = rowsShape<Line>({
  sentences: () => [],
  name: ({ id }) => `Zeile ${id}`,
  version: ({ text }) => text,
  typedPlace: () => 'text',
});
const [a, b, c] = ['a', 'b', 'c'].map((id): Line => ({ id, text: id })) as [Line, Line, Line];

describe('documents that are lists of rows', () => {
  it('counts each new, changed or deleted row, and a changed order as one change', () => {
    expect(rows.countChanges([a, b], [a, b])).toBe(0);
    expect(rows.countChanges([a, b], [a, { ...b, text: 'B' }])).toBe(1);
    expect(rows.countChanges([a, b], [a, { text: 'b', id: 'b', active: undefined }])).toBe(0);
    expect(rows.countChanges([a, b], [b, a])).toBe(1);
    expect(rows.countChanges([a, b], [c, a])).toBe(2);
    expect(rows.countChanges([], [])).toBe(0);
  });

  it('GEN-05 a merge reports rows that both sides changed; by default a row that one side deleted is kept', () => {
    const mine = { ...a, text: 'meine' };
    expect(
      rows.merge(
        [a, b],
        [mine],
        [
          { ...a, text: 'ihre' },
          { ...b, text: 'B' },
        ],
      ),
    ).toEqual({
      merged: [mine, { ...b, text: 'B' }],
      conflicts: [
        { id: 'a', name: 'Zeile a', mine: 'meine', theirs: 'ihre', standard: 'mine' },
        { id: 'b', name: 'Zeile b', mine: 'gelöscht', theirs: 'B', standard: 'theirs' },
      ],
      orderConflict: false,
    });
  });

  it('typing is an edit of one row; a new row, another order and two rows at once are other edits', () => {
    expect(rows.typedPlace([a, b], [a, { ...b, text: 'B' }])).toBe('b.text');
    expect(rows.typedPlace([a, b], [a, b, c])).toBeUndefined();
    expect(rows.typedPlace([a, b], [b, a])).toBeUndefined();
    expect(rows.typedPlace([a, b], [{ ...a }, { ...b }])).toBeUndefined();
  });
});

type Form = { name: string; active: boolean; days: number[]; format: { kind: string; head: string } };
const form = fieldsShape<Form>({
  labels: { name: 'Name', active: 'Aktiv', days: 'Tage', 'format.kind': 'Art' },
  words: (path, value) => (path === 'format.kind' ? `Art ${String(value)}` : undefined),
});
const base: Form = { name: 'A', active: false, days: [1, 2], format: { kind: 'csv', head: '' } };

describe('documents that are forms', () => {
  it('counts changed fields, nested ones too, and describes each change in a sentence', () => {
    const changed = { ...base, name: '', active: true, days: [2], format: { kind: 'xml', head: 'x' } };
    expect(form.countChanges(base, changed)).toBe(5);
    expect(form.countChanges(base, structuredClone(base))).toBe(0);
    expect(form.sentences(base, changed)).toEqual([
      'Name: vorher „A“, jetzt leer.',
      'Aktiv: vorher nein, jetzt ja.',
      'Tage: vorher 1, 2, jetzt 2.',
      'Art: vorher Art csv, jetzt Art xml.',
      'format.head: vorher leer, jetzt „x“.',
    ]);
  });

  it('a value that was not there before is empty in words', () => {
    const notes = fieldsShape<{ note?: string | null }>({ labels: { note: 'Notiz' } });
    expect([notes.sentences({}, { note: 'x' }), notes.sentences({ note: 'x' }, { note: null })].flat()).toEqual([
      'Notiz: vorher leer, jetzt „x“.',
      'Notiz: vorher „x“, jetzt leer.',
    ]);
  });

  it('GEN-05 merges fields changed on one side, and uses the chosen version of fields changed on both', () => {
    const mine = { ...base, name: 'M', format: { kind: 'xml', head: '' } };
    const theirs = { ...base, name: 'T', active: true, format: { kind: 'csv', head: 'h' } };
    const { merged, conflicts } = form.merge(base, mine, theirs);
    expect(merged).toEqual({ name: 'M', active: true, days: [1, 2], format: { kind: 'xml', head: 'h' } });
    expect(conflicts).toEqual([{ id: 'name', name: 'Name', mine: '„M“', theirs: '„T“', standard: 'mine' }]);
    expect(form.merge(base, mine, theirs, new Map([['name', 'theirs']])).merged.name).toBe('T');
  });

  it('typing is an edit of one text; a switch and two fields at once are other edits', () => {
    expect(form.typedPlace(base, { ...base, name: 'AB' })).toBe('name');
    expect(form.typedPlace(base, { ...base, active: true })).toBeUndefined();
    expect(form.typedPlace(base, { ...base, name: 'AB', active: true })).toBeUndefined();
  });
});
