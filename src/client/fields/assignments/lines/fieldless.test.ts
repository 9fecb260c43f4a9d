import { expect, it } from 'vitest';
import { type CategoryRow, type MappingRow, newMappingRow } from '#shared/assignments/schema.ts';
import { fieldlessWarning } from './fieldless.ts';

const field = { type: '_field', value: 'farbe', caption: 'farbe' } as const;
const row = (filled: boolean, active = true): MappingRow => ({
  ...newMappingRow('1'),
  ...(filled ? { field: [field] } : {}),
  active,
});

it('active rows without a field are named by their place, or counted if there are many', () => {
  expect(fieldlessWarning([row(true), row(false, false)])).toBeUndefined();
  expect(fieldlessWarning([row(true), row(false)])).toBe(
    'Zeile 2 hat noch kein Feld. Bitte wählen Sie, welches Feld sie prüft.',
  );
  expect(fieldlessWarning([row(false), row(true), row(false)])).toMatch(/^Die Zeilen 1 und 3 haben noch kein Feld\./u);
  expect(fieldlessWarning([row(true), ...Array.from({ length: 1200 }, () => row(false))])).toMatch(
    /^1\.200 Zeilen haben noch kein Feld, als erste Zeile 2\./u,
  );
});

it('a category row lacks a field also if only its second condition does', () => {
  const condition = { input: field, filter: 'is_equal', value: 'rot' } as const;
  const line = (second: CategoryRow['field'][number]): CategoryRow => ({
    id: '1',
    field: [condition, second],
    target: '',
    catname: '',
    producttyp: '',
    active: true,
  });
  expect(fieldlessWarning([line(condition)])).toBeUndefined();
  expect(fieldlessWarning([line({ ...condition, input: { type: '_string', value: '', caption: '' } })])).toMatch(
    /^Zeile 1 hat noch kein Feld/u,
  );
});
