import { describe, expect, it } from 'vitest';
import { newRow } from '#client/screens/construction/rows/rows.ts';
import { changeValueType, offeredKinds } from './value-kinds.ts';

describe('kinds of values', () => {
  it('CON-03 changing the kind of value keeps the parts that fit the new kind', () => {
    const row = newRow('1', 'titel');
    const combined = changeValueType(row, 'combine');
    expect(combined.field).toEqual(row.field);
    expect(changeValueType(combined, 'field').field).toEqual(row.field);
    expect(changeValueType(row, 'input').field).toEqual([{ type: '_string', value: '', caption: '' }]);
    expect(changeValueType(changeValueType(row, 'input'), 'field').field).toEqual([]);
  });

  it('CON-03 values and names survive between list and pairs; a choice can become a fixed text', () => {
    const part = { type: '_field' as const, value: 'bild2', caption: 'bild2' };
    const list = { ...newRow('1'), valuetype: 'array' as const, field: [{ name: 'Seite', value: part }] };
    const pairs = changeValueType(list, 'array_key_value');
    expect(pairs.field).toEqual([{ key: { type: '_string', value: 'Seite' }, value: part }]);
    expect(changeValueType(pairs, 'array').field).toEqual(list.field);
    expect(changeValueType(pairs, 'combine').field).toEqual([part]);
    expect(changeValueType(list, 'field').field).toEqual([part]);
    const chosen = { type: '_default' as const, value: 'new', caption: 'new (neu)' };
    const choice = { ...newRow('2'), valuetype: 'select' as const, field: [chosen] };
    expect(changeValueType(choice, 'input').field).toEqual([{ ...chosen, type: '_string' }]);
    expect(changeValueType(choice, 'field').field).toEqual([chosen]);
    expect(changeValueType(newRow('3'), 'array').field).toHaveLength(1);
  });

  it("CON-03 tabs offer four kinds and the table six; a row's present kind is always offered", () => {
    const row = newRow('1', 'titel');
    expect(offeredKinds('tabs', row)).toEqual(['field', 'combine', 'array', 'array_key_value']);
    expect(offeredKinds('table', row)).toHaveLength(6);
    expect(offeredKinds('tabs', { ...row, valuetype: 'select' })).toContain('select');
  });
});
