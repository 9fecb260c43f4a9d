import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { DifferenceSettings } from '#shared/difference/schema.ts';
import type { FieldGuess } from '#shared/import/schema.ts';
import { guessField } from './reader/guess.ts';
import { judgeImport } from './judge.ts';

const ITEMS = 40;
const settings = DifferenceSettings.parse({ action_on_difference: 'block_send' });

/** Changes of one field: its name, its values before and after, its earlier guess, and the drift text expected (absent: none). */
const cases: readonly [string, (index: number) => string, (index: number) => string, FieldGuess, string?][] = [
  ['Preis', (n) => `${n + 10},50`, () => '0', 'price', 'ist bei 40 von 40 Artikeln leer'],
  ['Preis', (n) => (n < 4 ? 'auf Anfrage' : `${n}`), () => 'auf Anfrage', 'text', 'ist bei 36 von 36 Artikeln leer'],
  ['VK 1', (n) => `${n + 10}`, (n) => `${n + 10}00`, 'integer', 'ist bei 40 von 40 Artikeln hundertmal so hoch'],
  ['VKE', (n) => `${n + 10}`, (n) => `${n + 10}00`, 'integer'],
  ['Sales Price', (n) => `${n + 10}`, () => 'n/a', 'price', 'ist bei 40 von 40 Artikeln leer'],
  ['Sale Price', (n) => `${n + 10}`, () => '', 'price'],
  ['Aktionspreis', (n) => `${n + 10}`, () => '0', 'price'],
  ['Bestand', (n) => `${n + 1}`, (n) => (n < 3 ? '7' : '0'), 'integer', 'ist nur noch bei 3 Artikeln größer als 0'],
  ['Bestand', (n) => `${n + 1}`, () => 'auf Lager', 'integer', 'ist bei 40 von 40 Artikeln leer oder keine Zahl mehr'],
  ['Bestand', (n) => (n < 4 ? '> 50' : `${n}`), () => '0', 'text', 'ist bei keinem Artikel mehr größer als 0'],
  ['Bestand', (n) => `${n + 1}`, (n) => (n < 16 ? '7' : '0'), 'integer'],
  ['Lagerort', (n) => `Halle ${n}`, () => 'Halle 1', 'text'],
  ['Lieferbar', () => 'ja', () => 'nein', 'boolean', 'nennt keinen Artikel mehr verfügbar'],
  ['Titel', (n) => `Ware ${n}`, () => '#NAME?', 'text', 'hat jetzt überall denselben Wert (40 Artikel)'],
  ['Farbe', (n) => `Farbe ${n}`, () => 'rot', 'text'],
];

describe('a new snapshot of a catalogue (DIF-03)', () => {
  let folder = '';
  let duckdb: DuckDb;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-judge-'));
    duckdb = await DuckDb.open({ folder });
  });
  afterAll(() => {
    duckdb.close();
    rmSync(folder, { recursive: true });
  });

  const stateOf = async (file: string, field: string, valueOf: (index: number) => string) => {
    const values = Array.from({ length: ITEMS }, (_, index) => valueOf(index));
    const cell = (value: string) => (value === '' ? 'NULL::VARCHAR' : `'${value}'`);
    const rows = values.map((value, index) => `('A${index}', ${cell(value)}, '${value}')`).join(', ');
    const path = join(folder, file);
    await duckdb.all({
      sql: `COPY (SELECT * FROM (VALUES ${rows}) t(_id, f0001, _hash)) TO '${path}' (FORMAT parquet)`,
      values: [],
    });
    const filled = values.filter((value) => value !== '');
    const known = { id: 'f0001', name: field, header: field, guess: guessField(field, filled), filled: filled.length };
    return { path, items: ITEMS, fields: [{ ...known, example: filled[0] ?? '' }] };
  };

  it.for([
    ['A1 ', 'A1', 1],
    ['a1', 'A1', 1],
    ['A1', 'A1', 0],
  ] as const)('whose item numbers changed from „%s“ to „%s“ gets %i hints about the key', async ([old, now, hints]) => {
    const numbered = async (file: string, number: string) => {
      const state = await stateOf(file, 'Titel', (n) => `Ware ${n}`);
      const sql = `COPY (SELECT * REPLACE (replace('${number}', '1', f0001) AS _id) FROM '${state.path}') TO '${state.path}2' (FORMAT parquet)`;
      await duckdb.all({ sql, values: [] });
      return { ...state, path: `${state.path}2` };
    };
    const before = await numbered('vorher.parquet', old);
    const after = await numbered('nachher.parquet', now);
    const judged = await judgeImport(duckdb, before, after, DifferenceSettings.parse({}));
    expect(judged.judgement).toEqual({ action: 'accept', reasons: [] });
    expect(judged.hints).toHaveLength(hints);
  });

  it.each([
    ['1.500', undefined, '1.500', 'point', 'mindestens viermal so hoch wie bisher'],
    ['1.500', 'point', '1.500', undefined, 'höchstens ein Viertel von bisher'],
    ['1500,00', undefined, '1.500', 'point', undefined],
    ['1.500', 'point', '1,500', 'comma', undefined],
  ] as const)(
    'with prices from %s (thousands: %s) to %s (thousands: %s) is judged by their numeric values',
    async (old, mark, now, markNow, text) => {
      const priced = async (file: string, value: string, parts: 'point' | 'comma' | undefined) => {
        // The single price '12' stands for the values that show how to read the mark in the other prices (see groups).
        const { fields, ...state } = await stateOf(file, 'Preis', (n) => (n === 0 ? '12' : value));
        const groups = { mark: parts ?? ('none' as const), sure: true };
        return { ...state, fields: fields.map((field) => ({ ...field, guess: 'price' as const, groups })) };
      };
      const before = await priced('vorher.parquet', old, mark);
      const after = await priced('nachher.parquet', now, markNow);
      const { judgement } = await judgeImport(duckdb, before, after, settings);
      const reasons = text === undefined ? [] : [`„Preis“ ist bei 39 von 40 Artikeln ${text}.`];
      expect(judgement).toEqual({ action: text === undefined ? 'accept' : 'block', reasons });
    },
  );

  it.for(cases)(
    'is blocked if the values of „%s“ drifted gravely, and only then',
    async ([field, old, now, guess, text]) => {
      const before = await stateOf('vorher.parquet', field, old);
      const after = await stateOf('nachher.parquet', field, now);
      const { judgement } = await judgeImport(duckdb, before, after, settings);
      expect(before.fields[0]?.guess).toBe(guess);
      expect(judgement).toEqual(
        text === undefined
          ? { action: 'accept', reasons: [] }
          : { action: 'block', reasons: [expect.stringContaining(`„${field}“ ${text}`)] },
      );
    },
  );
});
