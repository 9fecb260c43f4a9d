import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { driftsBetween } from './anomalies.ts';
import type { ComparedField } from './field-drift.ts';

/** A price, a stock and a required text; null is a missing value. */
type Item = { id: string; price: string | null; stock: string | null; text: string | null };
/** What the texts of the items below are as numbers; the others are none. */
const numbers: Readonly<Record<string, number>> = { '1': 1, '1,00': 1, '100': 100, '0': 0, '-5': -5, '2,5 €': 2.5 };
const numberIn = (text: string | null) => (text === null ? undefined : numbers[text]);
const positive = (text: string | null) => (numberIn(text) ?? 0) > 0;

const fields: readonly ComparedField[] = [
  { field: 'preis', before: 'x0', after: 'x0', role: 'price' },
  { field: 'bestand', before: 'x1', after: 'x1', role: 'stock' },
  { field: 'titel', before: 'x2', after: 'x2', role: 'required' },
];

/** The kinds of drifts, counted one item after the other. */
function expected(before: readonly Item[], after: readonly Item[]): string[] {
  const now = new Map(after.map((item) => [item.id, item]));
  const pairs = before.flatMap((old): [Item, Item][] => {
    const current = now.get(old.id);
    return current ? [[old, current]] : [];
  });
  const count = (holds: (old: Item, current: Item) => boolean) => pairs.filter(([a, b]) => holds(a, b)).length;
  const drifts: string[] = [];
  const priced = pairs.filter(([old, current]) => positive(old.price) && positive(current.price));
  const gone = count((old, current) => positive(old.price) && !positive(current.price));
  const ratios = priced.map(([old, current]) => (numberIn(current.price) ?? 0) / (numberIn(old.price) ?? 0));
  const share = (holds: (ratio: number) => boolean) => ratios.filter(holds).length >= ratios.length / 2;
  const moved = priced.filter(([old, current]) => old.price !== current.price);
  const distinct = (one: 0 | 1) => new Set(moved.map((pair) => numberIn(pair[one].price))).size;
  if (gone + ratios.length >= 5 && gone >= (gone + ratios.length) / 2) drifts.push('emptied');
  else if (ratios.length >= 5) {
    if (share((ratio) => ratio >= 8) || share((ratio) => ratio <= 0.125)) drifts.push('scaled');
    else if (share((ratio) => ratio !== 1))
      drifts.push(
        distinct(1) === 1 && distinct(0) > 1 && ratios.filter((one) => one !== 1).length >= 20 ? 'same' : 'prices',
      );
  }
  const stocked = count(({ stock }) => positive(stock));
  const lost = count((old, current) => positive(old.stock) && numberIn(current.stock) === undefined);
  if (stocked >= 5 && count((_, { stock }) => positive(stock)) <= stocked * 0.1)
    drifts.push(lost >= stocked / 2 ? 'emptied' : 'stock');
  const had = count(({ text }) => text !== null);
  if (had >= 5 && count((_, { text }) => text !== null) <= had * 0.1) drifts.push('emptied');
  return drifts;
}

describe('drifts between two states (DIF-03)', () => {
  let folder = '';
  let duckdb: DuckDb;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-drifts-'));
    duckdb = await DuckDb.open({ folder });
  });
  afterAll(() => {
    duckdb.close();
    rmSync(folder, { recursive: true });
  });

  const stored = async (name: string, items: readonly Item[]) => {
    const path = join(folder, name);
    const cell = (text: string | null) => (text === null ? 'CAST(NULL AS VARCHAR)' : `'${text}'`);
    const rows = items.map(({ id, price, stock, text }) => `('${id}', ${[price, stock, text].map(cell).join(', ')})`);
    await duckdb.all({
      sql: `COPY (SELECT * FROM (VALUES ${rows.join(', ')}) t(_id, x0, x1, x2)) TO '${path}' (FORMAT parquet)`,
      values: [],
    });
    return path;
  };

  it('are what counting every item says, however few of them differ', async () => {
    let seed = 7;
    const next = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound;
    const found = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const palette = [...Object.keys(numbers), 'auf Anfrage', null].slice(0, 1 + next(8));
      const some = () => palette[next(palette.length)] ?? null;
      const before = Array.from({ length: 1 + next(40) }, (_, index): Item => {
        return { id: `A${index}`, price: some(), stock: some(), text: next(4) === 0 ? null : 'Ware' };
      });
      const [scale, zero, empty, touched] = [next(3) === 0, next(3) === 0, next(3) === 0, 1 + next(12)];
      const after = before
        .filter(() => next(20) > 0)
        .map((item): Item => {
          const price = scale ? { '1': '100', '1,00': '100', '100': '1' }[item.price ?? ''] : undefined;
          const stock = zero && next(30) > 0 ? '0' : item.stock;
          const text = empty && next(30) > 0 ? null : item.text;
          if (next(12) >= touched) return item;
          return { ...item, price: price ?? (next(2) === 0 ? some() : item.price), stock, text };
        })
        .concat(next(2) === 0 ? [] : [{ id: 'neu', price: '1', stock: '1', text: 'Ware' }]);
      if (after.length === 0) continue;
      const files = { before: await stored('vorher.parquet', before), after: await stored('nachher.parquet', after) };
      const drifts = await driftsBetween(duckdb, files, fields);
      const kinds = drifts.map(({ kind, grave }) => (kind === 'prices' && grave ? 'same' : kind));
      expect({ round, kinds }).toEqual({ round, kinds: expected(before, after) });
      kinds.forEach((kind) => found.add(kind));
    }
    expect([...found].toSorted()).toEqual(['emptied', 'prices', 'scaled', 'stock']);
  });

  const many = (count: number, price: (index: number) => string | null, stock: (index: number) => string | null) =>
    Array.from({ length: count }, (_, index): Item => ({
      id: `A${index}`,
      price: price(index),
      stock: stock(index),
      text: 'x',
    }));
  const before = many(
    100,
    (index) => `${10 + index},50`,
    (index) => String(index % 50),
  );
  const priced = (price: (old: string, index: number) => string | null) =>
    before.map((item, index) => ({ ...item, price: price(item.price ?? '', index) }));
  const stocked = (stock: (old: string, index: number) => string | null) =>
    before.map((item, index) => ({ ...item, stock: stock(item.stock ?? '', index) }));

  it.for([
    [
      'prices of 0',
      priced((old, index) => (index < 60 ? '0' : old)),
      '„preis“ ist bei 60 von 100 Artikeln leer, 0 oder keine Zahl mehr.',
    ],
    [
      'prices on request',
      priced(() => 'auf Anfrage'),
      '„preis“ ist bei 100 von 100 Artikeln leer, 0 oder keine Zahl mehr.',
    ],
    ['prices that are gone', priced(() => null), '„preis“ ist bei 100 von 100 Artikeln leer, 0 oder keine Zahl mehr.'],
    ['some prices of 0', priced((old, index) => (index < 40 ? '0' : old)), undefined],
    [
      'prices without their comma',
      priced((old) => old.replace(',', '')).slice(0, 99),
      '„preis“ ist bei 99 von 99 Artikeln hundertmal so hoch wie bisher.',
    ],
    [
      'prices of ten times',
      priced((old) => `${Number(old.replace(',', '.')) * 10}`),
      '„preis“ ist bei 100 von 100 Artikeln mindestens achtmal so hoch wie bisher.',
    ],
    ['one price for all', priced(() => '9,99'), '„preis“ ist bei 100 geänderten Artikeln jetzt überall gleich.'],
    ['one price for a few', priced((old, index) => (index < 30 ? '9,99' : old)), undefined],
    [
      'a few stocks that are left',
      stocked((old, index) => (index % 20 === 1 ? old : '0')),
      '„bestand“ ist nur noch bei 5 von 98 Artikeln größer als 0.',
    ],
    ['stocks in words', stocked(() => 'auf Lager'), '„bestand“ ist bei 98 von 98 Artikeln leer oder keine Zahl mehr.'],
    ['stocks that sold well', stocked((old, index) => (index % 5 < 2 ? old : '0')), undefined],
  ] as const)('tell of %s, or of nothing', async ([, after, sentence]) => {
    const files = { before: await stored('vorher.parquet', before), after: await stored('nachher.parquet', after) };
    const drifts = await driftsBetween(duckdb, files, fields);
    expect(drifts.filter(({ grave }) => grave).map((drift) => drift.sentence)).toEqual(
      sentence === undefined ? [] : [sentence],
    );
  });
});
