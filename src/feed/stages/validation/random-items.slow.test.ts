import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { numberText } from '#shared/values/number-text.ts';
import { problemsOf, templateWith, type Item } from './checked-fixture.ts';

const letters = [
  'a',
  'Z',
  'ä',
  'ß',
  ' ',
  '<b>',
  '&amp;',
  '1',
  '2',
  ',',
  '.',
  '-',
  '€',
  '\u0001',
  '\u00a0',
  '😀',
  'Ã¤',
  'EUR',
  '/',
];
const whole = [
  '4006381333931',
  '4006381333930',
  '2000000000008',
  'https://s.de/a',
  'https://s.de/a b',
  'neu',
  'alt',
  '12,50',
  '0',
  '-3',
  '2026-02-30',
  '2026-11-21',
  '7 kg',
];

const value = fc.oneof(
  fc.constant(null),
  fc.constantFrom(...whole),
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 9 }).map((parts) => parts.join('')),
);

const fields = [
  { name: 'text', title: 'text', group: '', requirement: 'Required' as const, maxLength: 6 },
  {
    name: 'wahl',
    title: 'wahl',
    group: '',
    requirement: '' as const,
    type: 'choice' as const,
    values: [{ value: 'neu' }, { value: 'alt' }],
  },
  { name: 'preis', title: 'preis', group: '', requirement: '' as const, type: 'price' as const, minimum: 1 },
  { name: 'gtin', title: 'gtin', group: '', requirement: 'Recommended' as const, type: 'gtin' as const },
  { name: 'datum', title: 'datum', group: '', requirement: '' as const, type: 'date' as const },
  { name: 'link', title: 'link', group: '', requirement: '' as const, type: 'url' as const },
];

/** The same checks for a single item, written without regard to speed. */
const expected: Record<string, (value: string) => string[]> = {
  text: (value) => [
    ...(Array.from(value).length > 6 ? ['too_long'] : []),
    ...(value.includes('\u0001') ? ['control'] : []),
    ...(value.includes('Ã¤') ? ['mojibake'] : []),
    ...(/<b>|&amp;/.test(value) ? ['html'] : []),
  ],
  wahl: (value) => (value === 'neu' || value === 'alt' ? [] : ['value']),
  preis: (value) => {
    const number = numberText(value.replace(/ ?[A-Z]{3}$/, ''));
    if (number === undefined) return ['not_price'];
    const amount = Number(number);
    if (amount < 0) return ['negative'];
    if (amount === 0) return ['zero'];
    return amount < 1 ? ['too_small'] : [];
  },
  gtin: (value) => {
    if (!/^\d+$/.test(value)) return ['gtin_letters'];
    if (![8, 12, 13, 14].includes(value.length)) return ['gtin_length'];
    const sum = Array.from(value.padStart(14, '0'), Number).reduce(
      (total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1),
      0,
    );
    if (sum % 10 !== 0) return ['gtin_digit'];
    return value.length === 13 && /^(?:02|04|2)/.test(value) ? ['gtin_internal'] : [];
  },
  datum: (value) => (value === '2026-11-21' ? [] : ['not_date']),
  link: (value) => (/^https?:\/\//.test(value) ? (value.includes(' ') ? ['bad_address'] : []) : ['not_address']),
};
const missing: Record<string, string[]> = { text: ['missing'], gtin: ['recommended'] };

function problemsByHand(item: Item): string[] {
  return fields.flatMap(({ name }) => {
    const value = item[name];
    const blank = typeof value !== 'string' || /^[\s\u0085\ufeff]*$/.test(value);
    return (blank ? (missing[name] ?? []) : (expected[name]?.(value) ?? [])).map((kind) => `${name} ${kind}`);
  });
}

describe('validation of random items', () => {
  let folder: string;
  let duckdb: DuckDb;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-random-items-'));
    duckdb = await DuckDb.open({ folder, memoryLimit: '500MB', threads: 1 });
  });
  afterAll(() => {
    duckdb.close();
    rmSync(folder, { recursive: true });
  });

  it('the problem masks of every item equal those of a plain reference check', async () => {
    const names = fields.map(({ name }) => name);
    const item = fc.record(Object.fromEntries(names.map((name) => [name, value])));
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 20, maxLength: 60 }), async (items) => {
        const checked = await problemsOf(duckdb, templateWith({ fields }), items, names);
        for (const [index, one] of items.entries()) {
          const masks = (checked[index] ?? []).map(({ field, kind }) => `${field} ${kind}`).toSorted();
          found += masks.length;
          expect({ one, masks }).toEqual({ one, masks: problemsByHand(one).toSorted() });
        }
      }),
      { numRuns: Number(process.env['KONTOR_ITEM_RUNS'] ?? 30) },
    );
    expect(found).toBeGreaterThan(1000);
  });
});
