import { expect, it } from 'vitest';
import { ColumnSettings, FieldsUpdate } from './schema.ts';

const update = (note: string) => FieldsUpdate.safeParse({ updatedColumns: [{ id: 'f0001', name: 'preis', note }] });

it('HDR-08 a note has at most 100 characters without surrounding blanks; longer ones are refused in German', () => {
  expect(update(` ${'n'.repeat(100)} `).data?.updatedColumns[0]?.note).toBe('n'.repeat(100));
  const refused = update('n'.repeat(101));
  expect(refused.success).toBe(false);
  expect(refused.error?.issues.map(({ message }) => message)).toEqual(['Eine Notiz hat höchstens 100 Zeichen.']);
});

it('HDR-08 column settings stored before notes existed are still read', () => {
  expect(ColumnSettings.parse({ hidden: ['preis'] })).toEqual({ hidden: ['preis'], notes: [] });
});
