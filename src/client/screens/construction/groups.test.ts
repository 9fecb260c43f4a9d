import { describe, expect, it } from 'vitest';
import { ChannelField } from '#shared/channels/schema.ts';
import { incompleteRows } from '#shared/construction/schema.ts';
import { templateRow } from '#shared/channels/template-row.ts';
import { groupsOf, inTemplateOrder, missingFields, OTHER, unmappedRows, withField, withOrder } from './groups.ts';
import { headerChange } from './header-change.ts';
import { newRow } from '#client/screens/construction/rows/rows.ts';
import { seenValues } from '#client/screens/construction/values/seen-values.ts';

const field = (name: string, group: string, requirement: 'Required' | 'Recommended' | 'Optional' = 'Optional') =>
  ChannelField.parse({ name, title: name.toUpperCase(), group, requirement });
const template = {
  channel: 'probe',
  name: 'Probe',
  fixedHeader: true,
  categories: '',
  notes: [],
  groups: [
    { name: 'base', title: 'Grunddaten' },
    { name: 'price', title: 'Preise' },
  ],
  fields: [field('id', 'base', 'Required'), field('title', 'base'), field('price', 'price'), field('uvp', 'price')],
};
const row = (id: string, exportfield: string, source = '') => ({ ...newRow(id, source), exportfield });
const named = (rows: readonly { exportfield: string }[]) => rows.map(({ exportfield }) => exportfield);

describe('groups of a construction', () => {
  it("CON-01 has a tab per group of the template and 'Weitere Felder' for other rows, each with its number of open rows", () => {
    const rows = [row('1', 'price'), { ...row('2', 'id'), mp_state: 'Required' as const }, row('3', 'eigenes')];
    const groups = groupsOf(rows, template, new Set(incompleteRows(rows).rowIds));
    expect(groups.map(({ title, rows: own, open }) => [title, own.length, open])).toEqual([
      ['Grunddaten', 1, 1],
      ['Preise', 1, 0],
      ['Weitere Felder', 1, 0],
    ]);
    expect(groupsOf(rows, null, new Set()).map(({ title, rows: own }) => [title, own.length])).toEqual([
      ['Weitere Felder', 3],
    ]);
    const held = groupsOf(rows, template, new Set(), { id: '1', group: OTHER });
    expect(held.map(({ rows: own }) => own.length)).toEqual([1, 0, 2]);
  });

  it('CON-02 sorting rows within a tab keeps the positions that the tab has in the file', () => {
    const rows = ['a', 'b', 'c', 'd'].map((name, index) => row(String(index), name));
    const [a, , c] = rows;
    if (a === undefined || c === undefined) throw new Error('rows');
    expect(named(withOrder(rows, [c, a]))).toEqual(['c', 'b', 'a', 'd']);
  });

  it("CON-02 a template field is inserted at its place, and the template's order can be restored", () => {
    const rows = [row('1', 'price'), row('2', 'eigenes'), row('3', 'id')];
    expect(missingFields(rows, template).map(({ name }) => name)).toEqual(['title', 'uvp']);
    const [, title] = template.fields;
    if (title === undefined) throw new Error('field');
    const more = withField(rows, template, templateRow(title, '9'));
    expect(named(more)).toEqual(['price', 'eigenes', 'id', 'title']);
    expect(more[3]).toMatchObject({ id: '9', fieldCaption: 'TITLE', mp_state: 'Optional', del_allowed: true });
    const sorted = inTemplateOrder(more, template);
    expect(named(sorted)).toEqual(['id', 'title', 'price', 'eigenes']);
    expect(inTemplateOrder(sorted, template)).toBe(sorted);
  });

  it('lists the rows that have a name but no value', () => {
    const rows = [row('1', 'id', 'sku'), row('2', 'title'), row('3', '')];
    expect(unmappedRows(rows).map(({ id }) => id)).toEqual(['2']);
  });
});

describe('a changed header that the channel already knows', () => {
  it('is reported as added, removed and moved columns, also for columns of the same name', () => {
    const rows = ['id', 'bild', 'bild', 'preis', 'neu'].map((name, index) => row(String(index), name, 'x'));
    expect(headerChange(null, rows)).toBeNull();
    expect(headerChange(['id', 'bild', 'bild', 'preis', 'neu'], rows)).toBeNull();
    expect(headerChange(['preis', 'id', 'bild', 'alt'], rows)).toEqual({
      added: ['bild', 'neu'],
      gone: ['alt'],
      moved: ['preis'],
    });
    expect(headerChange(['id'], [row('1', 'anders')])).toBeNull();
  });
});

describe('values of the preview', () => {
  it('yield for each row an example and its longest value, counted in code points', () => {
    const rows = [row('1', 'a', 'x'), row('2', '', 'y'), row('3', 'b', 'z')];
    const data = [
      [null, 'kurz'],
      [null, 'länger🙂'],
    ];
    const seen = seenValues(rows, { columns: ['a', 'b'], ids: ['A-1', 'A-2'], data });
    expect([...seen]).toEqual([['3', { example: 'kurz', longest: { length: 7, itemid: 'A-2' } }]]);
    // Without sources the export outputs the catalogue's fields.
    expect(seenValues(rows, { columns: ['sku', 'b'], ids: ['A-1', 'A-2'], data }).size).toBe(0);
  });
});
