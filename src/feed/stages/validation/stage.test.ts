import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { problemsOf, templateWith, type Item } from './checked-fixture.ts';
import { wordsOf } from './problem.ts';
import { named, valueCases } from './value-cases.ts';

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

  it.each(valueCases)('%s', async (_title, field, cases, format) => {
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

  it('words of a check across fields fit its severity, and name at most four of its fields', async () => {
    const names = ['dhl', 'dpd', 'hermes', 'gls', 'ups', 'fedex'];
    const fields = names.map((name) => named(name, { requirement: '' }));
    const severities = ['error', 'warning', 'hint'] as const;
    const checks = severities.map((severity) => ({
      kind: 'any_of' as const,
      fields: names,
      severity,
      message: 'Fehlt.',
    }));
    const [found = []] = await problemsOf(duckdb, templateWith({ fields, checks }), [{ dhl: null }]);
    const words = found.map((problem) => wordsOf(problem, 'idealo'));
    expect(words.map(({ means }) => means.includes('lehnt solche Artikel'))).toEqual([true, false, false]);
    expect(words.map(({ sentence }) => sentence)).toEqual(
      severities.map(() => 'Fehlt. (dhl, dpd, hermes, gls oder 2 weitere)'),
    );
    const todo =
      'Füllen oder berichtigen Sie „dhl, dpd, hermes, gls oder 2 weitere“ im Katalog oder mit einer Regel, oder wählen Sie im Feldaufbau eine Quelle oder einen festen Wert.';
    expect(words.map((one) => one.todo)).toEqual(severities.map(() => todo));
  });

  it('a missing running number is answered with the internal field, not with the catalogue', async () => {
    const fields = ['Laufende Nummer', 'Menge'].map((title, at) => ({
      ...named(`f${at}`, { requirement: 'Required' }),
      title,
    }));
    const [found = []] = await problemsOf(duckdb, templateWith({ fields }), [{ f0: null, f1: null }]);
    expect(found.map((problem) => wordsOf(problem, 'Amazon').todo)).toEqual([
      'Wählen Sie im Feldaufbau als Quelle das interne Feld „Laufende Nummer“; Kontor zählt dann selbst.',
      expect.stringMatching(/^Füllen Sie „Menge“ im Katalog/),
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
