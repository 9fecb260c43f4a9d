import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { problemsOf, templateWith } from './checked-fixture.ts';

type Field = Omit<z.input<typeof ChannelField>, 'name' | 'title' | 'group'>;

/** What makes it clear, the field, and values with the problems each has. */
const table: [string, Field, Record<string, string[]>, object?][] = [
  [
    'with a currency beside it a mark before three digits parts thousands',
    { requirement: '', type: 'price', maximum: 1000 },
    {
      '1.299 CHF': ['too_large'],
      '1.299 €': ['too_large'],
      '1,299 EUR': ['too_large'],
      '12.990 CHF': ['too_large'],
      '0.299 CHF': [],
    },
  ],
  [
    'a placeholder where the channel insists on a value is told',
    { requirement: 'Required', sources: ['brand'] },
    { 'keine Angabe': ['placeholder'], 'N/A': ['placeholder'], '-': ['placeholder'], 'Keine Angabe AG': [], Bosch: [] },
  ],
  [
    'words that the channel takes instead of a GTIN are none that is wrong',
    { requirement: '', type: 'gtin', open: true, values: [{ value: 'Nicht zutreffend' }] },
    { 'Nicht zutreffend': [], keine: ['gtin_letters'], '4006381333931': [], '40063813339': ['gtin_length'] },
  ],
];

describe('values as catalogues have them (GEN-09)', () => {
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

  it.each(table)('%s', async (_title, field, cases, format) => {
    const values = Object.keys(cases);
    const fields = [{ name: 'feld', title: 'feld', group: '', ...field }];
    const items = values.map((feld) => ({ feld }));
    const found = await problemsOf(duckdb, templateWith({ fields, format: format ?? {} }), items);
    const kinds = found.map((list) => list.map(({ kind }) => kind).toSorted());
    expect(Object.fromEntries(values.map((value, index) => [value, kinds[index]]))).toEqual(cases);
  });
});
