import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { problemsOf, templateWith } from './checked-fixture.ts';

type Field = Omit<z.input<typeof ChannelField>, 'name' | 'title' | 'group'>;

/** The aspect under test, the field, and values with their expected problems. */
const table: [string, Field, Record<string, string[]>, object?][] = [
  [
    'in a number with a currency, a mark before three digits separates thousands',
    { requirement: '', type: 'price', maximum: 1000 },
    {
      '1.299 CHF': ['too_large'],
      '1.299 €': ['too_large'],
      '1,299 EUR': ['too_large'],
      '12.990 CHF': ['too_large'],
      '0.299 CHF': [],
      '1.299EUR': ['too_large'],
      '1.299\u00a0EUR': ['too_large'],
      '1,299CHF': ['too_large'],
      '1.29EUR': [],
    },
  ],
  [
    'a price written as a number may name no other currency',
    { requirement: '', type: 'price' },
    { '5': [], '5.50': [], $5: ['price_spelling'], '12.50 USD': ['price_spelling'], 'USD 5': ['not_price'] },
    { kind: 'json', typed: true, decimal: 'point' },
  ],
  [
    'a placeholder in a required field is reported',
    { requirement: 'Required', sources: ['brand'] },
    { 'keine Angabe': ['placeholder'], 'N/A': ['placeholder'], '-': ['placeholder'], 'Keine Angabe AG': [], Bosch: [] },
  ],
  [
    'a value that the channel accepts instead of a GTIN is valid',
    { requirement: '', type: 'gtin', open: true, values: [{ value: 'Nicht zutreffend' }] },
    { 'Nicht zutreffend': [], keine: ['gtin_letters'], '4006381333931': [], '40063813339': ['gtin_length'] },
  ],
];

describe('typical values of catalogues (GEN-09)', () => {
  let folder: string;
  let duckdb: DuckDb;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-validation-'));
    duckdb = await DuckDb.open({ folder, memoryLimit: '500MB', threads: 1 });
  });
  afterAll(() => {
    duckdb.close();
    rmSync(folder, { recursive: true });
  });

  it('Google requires colour and size also if the category is given as a number', async () => {
    const template = templateOf('google');
    if (!template) throw new Error('no template');
    const categories = ['1604', '5322', '187', '201', '632', '11604', 'Bekleidung & Accessoires > Schuhe', null];
    const items = categories.map((google_product_category) => ({ google_product_category }));
    const found = await problemsOf(duckdb, template, items, ['google_product_category']);
    const asked = new Set(['color', 'size', 'gender', 'age_group']);
    const missing = found.map((list) =>
      list.flatMap(({ kind, field }) => (kind === 'missing' && asked.has(field) ? [field] : [])).toSorted(),
    );
    const all = ['age_group', 'color', 'gender', 'size'];
    const jewellery = ['age_group', 'color', 'gender'];
    expect(missing).toEqual([all, all, all, jewellery, [], [], all, []]);
  });

  it.each(table)('%s', async (_title, field, cases, format) => {
    const values = Object.keys(cases);
    const fields = [{ name: 'feld', title: 'feld', group: '', ...field }];
    const items = values.map((feld) => ({ feld }));
    const found = await problemsOf(duckdb, templateWith({ fields, format: format ?? {} }), items);
    const kinds = found.map((list) => list.map(({ kind }) => kind).toSorted());
    expect(Object.fromEntries(values.map((value, index) => [value, kinds[index]]))).toEqual(cases);
  });
});
