import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { problemsOf, templateWith, type Item } from './checked-fixture.ts';

type Field = Omit<z.input<typeof ChannelField>, 'name' | 'title' | 'group'>;
const named = (name: string, field: Field): z.input<typeof ChannelField> => ({
  name,
  title: name,
  group: '',
  ...field,
});

/** The aspect under test, the field, and values with their expected problems. */
const table: [string, Field, Record<string, string[]>, object?][] = [
  [
    'Pflicht',
    { requirement: 'Required' },
    { a: [], '': ['missing'], '  \t': ['missing'], '\u00a0\u2003': ['missing'], '\ufeff': ['missing'], '!': [], ä: [] },
  ],
  ['Empfohlen', { requirement: 'Recommended' }, { a: [], '': ['recommended'] }],
  ['bedingt ohne Bedingung', { requirement: 'Required', whenText: 'bei Reifen' }, { a: [], '': ['maybe_missing'] }],
  ['Optional', { requirement: 'Optional' }, { '': [] }],
  ['zu lang, in Zeichen', { requirement: '', maxLength: 4 }, { äöüß: [], äöüßä: ['too_long'], '😀😀😀😀': [], '': [] }],
  ['zu kurz', { requirement: '', minLength: 3 }, { ab: ['too_short'], abc: [], '😀😀': ['too_short'], '': [] }],
  [
    'unmäßig lang',
    { requirement: '' },
    { ['x'.repeat(100_000)]: [], ['ä'.repeat(60_000)]: [], ['x'.repeat(100_001)]: ['huge'] },
  ],
  [
    'Auswahl',
    { requirement: '', type: 'choice', values: [{ value: 'new' }, { value: 'used' }] },
    { new: [], used: [], New: ['value'], ' new': ['value'], neu: ['value'] },
  ],
  ['offene Auswahl', { requirement: '', type: 'choice', open: true, values: [{ value: 'new' }] }, { neu: [] }],
  [
    'Muster',
    { requirement: '', pattern: '[A-Z]{2}', patternText: 'zwei Großbuchstaben' },
    { DE: [], DEU: ['pattern'], de: ['pattern'], ' DE': ['pattern'] },
  ],
  [
    'Zahl',
    { requirement: '', type: 'number' },
    {
      '1': [],
      '1,5': [],
      '-1': ['negative'],
      '1e5': ['not_number'],
      'ca. 5': ['not_number'],
      '5 €': ['not_number'],
      'EUR 5,00': ['not_number'],
      '1 234,5': [],
      '0': [],
      '12.05.2024': ['not_number'],
    },
  ],
  [
    'Zahl mit Punkt',
    { requirement: '', type: 'number' },
    { '1.5': [], '1,5': ['number_mark'], x: ['not_number'] },
    { decimal: 'point' },
  ],
  [
    'ganze Zahl',
    { requirement: '', type: 'integer', minimum: 2, maximum: 10 },
    {
      '2': [],
      '10': [],
      '1': ['too_small'],
      '11': ['too_large'],
      '2,5': ['not_integer'],
      '3,0': ['not_integer'],
      '7.000': ['not_integer'],
      x: ['not_number'],
      '-3': ['too_small'],
      '9999999999999999': ['too_large'],
    },
  ],
  [
    'Versandkosten',
    { requirement: '', type: 'price', minimum: 0 },
    { '0': [], '0,00': [], '4.90': [], '-1': ['negative'] },
  ],
  ['Entsorgung', { requirement: '', type: 'price', minimum: -1 }, { '-1': [], '0': [], '-2': ['too_small'] }],
  [
    'Preis',
    { requirement: '', type: 'price', minimum: 0.5 },
    {
      '12,50': [],
      '12.50 EUR': [],
      '12 CHF': [],
      '1.299,90 €': [],
      '0': ['zero'],
      '0,00': ['zero'],
      '-1': ['negative'],
      '0,49': ['too_small'],
      'auf Anfrage': ['not_price'],
      EUR: ['not_price'],
      '-9999999999999': ['negative'],
    },
  ],
  [
    'Preis mit Währung',
    { requirement: '', type: 'price' },
    {
      '25.00 EUR': [],
      '25 EUR': [],
      '25.00EUR': [],
      '25.00': ['price_spelling'],
      '25,00 EUR': ['price_spelling'],
      '25.00 €': ['price_spelling'],
      x: ['not_price'],
    },
    { price: 'currency', decimal: 'point' },
  ],
  [
    'Preis in Cent',
    { requirement: '', type: 'price' },
    { '2500': [], '25.00': ['price_spelling'] },
    { price: 'cents' },
  ],
  [
    'Preis mit Komma',
    { requirement: '', type: 'price' },
    { '25,00': [], '25': ['price_spelling'], '25.00': ['price_spelling'] },
    { price: 'plain', decimal: 'comma' },
  ],
  [
    'Maß',
    { requirement: '', type: 'measure' },
    {
      '500 g': [],
      '2,5kg': [],
      '20 cm x 30 cm': [],
      '500': ['no_unit'],
      viel: ['not_measure'],
      'g 500': ['not_measure'],
    },
  ],
  ['ja/nein', { requirement: '', type: 'boolean' }, { ja: [], TRUE: [], '0': [], vielleicht: ['not_boolean'] }],
  [
    'ja/nein mit Werten',
    { requirement: '', type: 'boolean', values: [{ value: 'yes' }, { value: 'no' }] },
    { yes: [], ja: ['value'] },
  ],
  [
    'Datum',
    { requirement: '', type: 'date' },
    {
      '2026-11-27': [],
      '2026-11-27T09:00+01:00': [],
      '2026-11-27T09:00:00Z': [],
      '2026-02-30': ['not_date'],
      '2026-12-31T25:00': ['not_date'],
      '2026-12-31T23:60': ['not_date'],
      '2026-12-31T23:59+99:00': ['not_date'],
      '27.11.2026': ['not_date'],
      morgen: ['not_date'],
    },
  ],
  [
    'Adresse',
    { requirement: '', type: 'url' },
    {
      'https://shop.de/a': [],
      'HTTP://shop.de': [],
      'https://shop.de?x=ä': [],
      'https://www.müller.de/é': [],
      '/a.html': ['not_address'],
      'www.shop.de': ['not_address'],
      'ftp://shop.de/a': ['not_address'],
      'https://shop.de/a b': ['bad_address'],
      'https://shop': ['bad_address'],
      'https://': ['bad_address'],
      'https://shop.de/"x"': ['bad_address'],
      'javascript:alert(1)': ['not_address'],
      'https://shop.de/\n': ['bad_address'],
    },
  ],
  [
    'Bild',
    { requirement: '', type: 'image' },
    {
      'https://shop.de/a.jpg': [],
      'a.jpg': ['not_address'],
      'https://shop.de/no_image.gif': ['placeholder_image'],
      'https://shop.de/kein-bild.png': ['placeholder_image'],
    },
  ],
  [
    'GTIN',
    { requirement: '', type: 'gtin' },
    {
      '4006381333931': [],
      '04006381333931': [],
      '036000291452': [],
      '96385074': [],
      '4006381333930': ['gtin_digit'],
      '400638133393': ['gtin_digit'],
      '0000000000000': ['gtin_digit'],
      '40063813339': ['gtin_length'],
      '4,00638E+12': ['gtin_letters'],
      '4006381 333931': ['gtin_letters'],
      '2000000000008': ['gtin_internal'],
      '0200000000004': ['gtin_internal'],
      '0400000000008': ['gtin_internal'],
      '20000004': ['gtin_internal'],
      '123456789012345': ['gtin_length'],
      '٤٠٠٦٣٨١٣٣٣٩٣١': ['gtin_letters'],
    },
  ],
  [
    'Text',
    { requirement: '' },
    {
      'A & B': [],
      'a < b': [],
      '<b>fett</b>': ['html'],
      'a<br>b': ['html'],
      'A &amp; B': ['html'],
      'M&uuml;ll': ['html'],
      'a\u0001b': ['control'],
      'a\u0085b': ['control'],
      'a\u0096b': ['control'],
      'a\tb\r\nc': [],
      'SchrÃ¤nke': ['mojibake'],
      'Preis â‚¬': ['mojibake'],
      'kaputt \ufffd': ['mojibake'],
      'Ärger äöü ß é ñ São Â': [],
    },
  ],
  [
    'HTML',
    { requirement: '', type: 'html' },
    {
      '<p>gut</p>': [],
      'A &amp; B': [],
      '<p>offen<b': ['broken_html'],
      '<script>x</script>': ['foreign_html'],
      '<iframe src="x">': ['foreign_html'],
      '5 < 7': [],
      'x <': ['broken_html'],
    },
  ],
];

describe('validation of values (GEN-09)', () => {
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

  const kindsOf = async (fields: z.input<typeof ChannelField>[], items: Item[], more: object = {}) =>
    (await problemsOf(duckdb, templateWith({ fields, ...more }), items)).map((list) =>
      list.map(({ kind }) => kind).toSorted(),
    );

  it.each(table)('%s', async (_title, field, cases, format) => {
    const values = Object.keys(cases);
    const found = await kindsOf(
      [named('feld', field)],
      values.map((feld) => ({ feld })),
      { format: format ?? {} },
    );
    expect(Object.fromEntries(values.map((value, index) => [value, found[index]]))).toEqual(cases);
  });

  it('titles in capitals or with advertising are reported', async () => {
    const titles = [
      'AKKU-BOHRSCHRAUBER NORDKAP PROFI',
      'Akku-Bohrschrauber 18V',
      'IKEA',
      'Bohrer GRATIS dazu',
      'Jetzt zugreifen!!!',
    ];
    const found = await kindsOf(
      [named('title', { requirement: '' })],
      titles.map((title) => ({ title })),
    );
    expect(found).toEqual([['capitals'], [], [], ['promotion'], ['promotion']]);
  });

  const many = { many: { most: 2, separator: ';' } };
  it('CON-03: each entry of a list is checked, and the list as a whole', async () => {
    const fields = [named('bilder', { requirement: 'Required', type: 'image', ...many })];
    const items: Item[] = [
      { bilder: ['https://b.de/1.jpg', null, 'https://b.de/2.jpg'] },
      { bilder: ['https://b.de/1.jpg', '2.jpg'] },
      { bilder: ['https://b.de/1.jpg', 'https://b.de/2.jpg', 'https://b.de/3.jpg'] },
      { bilder: ['https://b.de/1;2.jpg'] },
      { bilder: [null, null] },
      { bilder: null },
    ];
    expect(await kindsOf(fields, items)).toEqual([
      [],
      ['not_address'],
      ['too_many'],
      ['separator'],
      ['missing'],
      ['missing'],
    ]);
  });

  it('a text that contains several values is checked value by value', async () => {
    const fields = [named('bilder', { requirement: '', type: 'image', ...many })];
    const texts = ['https://b.de/1.jpg; https://b.de/2.jpg', 'https://b.de/1.jpg;2.jpg', 'https://b.de/1.jpg', 'a;b;c'];
    const found = await kindsOf(
      fields,
      texts.map((bilder) => ({ bilder })),
    );
    expect(found).toEqual([[], ['not_address'], [], ['not_address', 'too_many']]);
  });

  it('a field is required if its conditions are met, also if the export lacks it', async () => {
    const clothes = [{ field: 'kategorie', is: 'contains' as const, values: ['bekleidung'] }];
    const used = [{ field: 'zustand', is: 'one_of' as const, values: ['Gebraucht'] }];
    const fields = [
      named('kategorie', { requirement: '' }),
      named('zustand', { requirement: '' }),
      named('größe', { requirement: 'Recommended', when: clothes, whenText: 'bei Kleidung' }),
      named('mangel', { requirement: '', when: used }),
      named('ersatz', { requirement: '', when: [{ field: 'zustand', is: 'empty' as const, values: [] }] }),
    ];
    const columns = ['kategorie', 'zustand', 'größe'];
    const items: Item[] = [
      { kategorie: 'Mode > BEKLEIDUNG', zustand: 'neu', größe: null },
      { kategorie: 'Mode > Bekleidung', zustand: 'neu', größe: 'M' },
      { kategorie: 'Werkzeug', zustand: 'gebraucht', größe: null },
      { kategorie: null, zustand: null, größe: null },
    ];
    const found = await problemsOf(duckdb, templateWith({ fields }), items, columns);
    expect(found.map((list) => list.map(({ kind, field }) => `${kind} ${field}`))).toEqual([
      ['missing größe'],
      [],
      ['missing mangel'],
      ['missing ersatz'],
    ]);
    expect(found[0]?.[0]?.detail).toBe('ist aber Pflicht bei Kleidung');
  });

  it('checks across fields: at least one of several, and one less than another', async () => {
    const fields = [
      named('gtin', { requirement: '' }),
      named('mpn', { requirement: '' }),
      named('preis', { requirement: '', type: 'price' }),
      named('uvp', { requirement: '', type: 'price' }),
    ];
    const checks = [
      {
        kind: 'any_of' as const,
        fields: ['gtin', 'mpn', 'fehlt'],
        severity: 'warning' as const,
        message: 'Kennung fehlt.',
      },
      {
        kind: 'less_than' as const,
        field: 'preis',
        than: 'uvp',
        severity: 'error' as const,
        message: 'Preis zu hoch.',
      },
    ];
    const found = await problemsOf(duckdb, templateWith({ fields, checks }), [
      { gtin: null, mpn: null, preis: '9,00', uvp: '10,00' },
      { gtin: '1', mpn: null, preis: '10,00', uvp: '10.00 EUR' },
      { gtin: null, mpn: 'x', preis: '10,00', uvp: null },
      { gtin: ' ', mpn: '', preis: '100', uvp: '20' },
    ]);
    expect(found.map((list) => list.map(({ severity, detail }) => `${severity} ${detail}`))).toEqual([
      ['warning Kennung fehlt.'],
      ['error Preis zu hoch.'],
      [],
      ['warning Kennung fehlt.', 'error Preis zu hoch.'],
    ]);
  });

  it('more than fifty problems fill several mask columns', async () => {
    const fields = Array.from({ length: 60 }, (_, index) => named(`f${index}`, { requirement: 'Required' }));
    const [found = []] = await problemsOf(
      duckdb,
      templateWith({ fields }),
      [{ f59: 'da' }],
      fields.map(({ name }) => name),
    );
    expect(found).toHaveLength(59);
    expect(new Set(found.map(({ column }) => column)).size).toBeGreaterThan(1);
  });
});
