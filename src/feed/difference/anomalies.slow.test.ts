import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { driftsBetween } from './anomalies.ts';
import type { ComparedField } from './field-drift.ts';

/** An item with a price, a stock and a required text; null is a missing value. */
type Item = { id: string; price: string | null; stock: string | null; text: string | null };
/** The numbers that the test's texts stand for; all other texts are no numbers. */
const numbers: Readonly<Record<string, number>> = { '1': 1, '1,00': 1, '100': 100, '0': 0, '-5': -5, '2,5 €': 2.5 };
const numberIn = (text: string | null) => (text === null ? undefined : numbers[text]);
const positive = (text: string | null) => (numberIn(text) ?? 0) > 0;

const fields: readonly ComparedField[] = [
  { field: 'preis', before: 'x0', after: 'x0', role: 'price' },
  { field: 'bestand', before: 'x1', after: 'x1', role: 'stock' },
  { field: 'titel', before: 'x2', after: 'x2', role: 'required' },
];

/** The kinds of drift, computed item by item. */
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
  const had = gone + ratios.length;
  if (had >= Math.max(5, pairs.length / 4) && gone >= had / 2) drifts.push('emptied');
  else if (ratios.length >= 5) {
    const isSame = distinct(1) === 1 && distinct(0) >= 10 && ratios.filter((one) => one !== 1).length >= 20;
    if (isSame && share((ratio) => ratio !== 1)) drifts.push('same');
    else if (share((ratio) => ratio >= 4) || share((ratio) => ratio <= 0.25)) drifts.push('scaled');
    else if (share((ratio) => ratio !== 1)) drifts.push('prices');
  }
  const stocked = count(({ stock }) => positive(stock));
  const lost = count((old, current) => positive(old.stock) && numberIn(current.stock) === undefined);
  if (stocked >= 5 && count((_, { stock }) => positive(stock)) <= stocked * 0.1)
    drifts.push(lost >= stocked / 2 ? 'emptied' : 'stock');
  const filled = count(({ text }) => text !== null);
  if (filled >= 5 && count((_, { text }) => text !== null) <= filled * 0.1) drifts.push('emptied');
  return drifts;
}

describe('drifts between two snapshots (DIF-03)', () => {
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

  it('are the same as counted item by item, however few items differ', async () => {
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
      const kinds = drifts.map(({ kind }) => kind);
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
      '„preis“ ist bei 60 von 100 Artikeln leer, keine Zahl oder nicht mehr größer als 0.',
    ],
    [
      'prices on request',
      priced(() => 'auf Anfrage'),
      '„preis“ ist bei 100 von 100 Artikeln leer, keine Zahl oder nicht mehr größer als 0.',
    ],
    [
      'missing prices',
      priced(() => null),
      '„preis“ ist bei 100 von 100 Artikeln leer, keine Zahl oder nicht mehr größer als 0.',
    ],
    ['some prices of 0', priced((old, index) => (index < 40 ? '0' : old)), undefined],
    [
      'prices without their decimal comma',
      priced((old) => old.replace(',', '')).slice(0, 99),
      '„preis“ ist bei 99 von 99 Artikeln hundertmal so hoch wie bisher.',
    ],
    [
      'tenfold prices',
      priced((old) => `${Number(old.replace(',', '.')) * 10}`),
      '„preis“ ist bei 100 von 100 Artikeln mindestens viermal so hoch wie bisher.',
    ],
    [
      'one price for all items',
      priced(() => '9,99'),
      '„preis“ hat jetzt überall denselben Wert (100 geänderte Artikel).',
    ],
    ['one price for a few items', priced((old, index) => (index < 30 ? '9,99' : old)), undefined],
    [
      'stocks of 0 for nearly all items',
      stocked((old, index) => (index % 20 === 1 ? old : '0')),
      '„bestand“ ist nur noch bei 5 Artikeln größer als 0; bisher waren es 98.',
    ],
    ['stocks in words', stocked(() => 'auf Lager'), '„bestand“ ist bei 98 von 98 Artikeln leer oder keine Zahl mehr.'],
    ['stocks of 0 for many items', stocked((old, index) => (index % 5 < 2 ? old : '0')), undefined],
  ] as const)('report %s among 100 items only if the drift is grave', async ([, after, sentence]) => {
    const files = { before: await stored('vorher.parquet', before), after: await stored('nachher.parquet', after) };
    const drifts = await driftsBetween(duckdb, files, fields);
    expect(drifts.filter(({ grave }) => grave).map((drift) => drift.sentence)).toEqual(
      sentence === undefined ? [] : [sentence],
    );
  });

  /** A field of the 200 items `i` before and after, as DuckDB expressions, and the expected sentence if the drift is grave. */
  const cases: readonly [string, ComparedField['role'], string, string, string?][] = [
    [
      'negative prices',
      'price',
      `i + 10`,
      `-i - 10`,
      'ist bei 200 von 200 Artikeln leer, keine Zahl oder nicht mehr größer als 0.',
    ],
    [
      'prices with a currency that fall to 0',
      'price',
      `(i + 10) || '.99 EUR'`,
      `'0.00 EUR'`,
      'ist bei 200 von 200 Artikeln leer, keine Zahl oder nicht mehr größer als 0.',
    ],
    [
      'prices in zloty',
      'price',
      `i + 10.99`,
      `(i + 10.99) * 4.3`,
      'ist bei 200 von 200 Artikeln mindestens viermal so hoch wie bisher.',
    ],
    [
      'prices divided by 1,000',
      'price',
      `i + 10`,
      `(i + 10) / 1000`,
      'ist bei 200 von 200 Artikeln höchstens ein Viertel von bisher.',
    ],
    ['prices without tax', 'price', `i + 10.99`, `round((i + 10.99) / 1.19, 2)`],
    ['a sale of 70 %', 'price', `i + 10`, `round((i + 10) * 0.3, 2)`],
    [
      'tenfold prices of less than half of the items',
      'price',
      `i + 10`,
      `CASE WHEN i < 90 THEN (i + 10) * 10 ELSE i + 10 END`,
    ],
    ['two shipping rates merged into one', 'price', `CASE WHEN i % 3 = 0 THEN '4,90' ELSE '6,90' END`, `'5,90'`],
    ['missing prices of a field that few items fill', 'price', `CASE WHEN i < 40 THEN i + 1 END`, `NULL`],
    [
      'unreadable prices of a field that a third of the items fill',
      'price',
      `CASE WHEN i < 60 THEN i + 1 END`,
      `'k. A.'`,
      'ist bei 60 von 60 Artikeln leer, keine Zahl oder nicht mehr größer als 0.',
    ],
    ['missing special prices', 'offer', `i + 1`, `NULL`],
    ['one special price for all items', 'offer', `i + 100`, `'99'`],
    [
      'special prices without their decimal comma',
      'offer',
      `(i + 10) || ',99'`,
      `(i + 10) || '99'`,
      'ist bei 200 von 200 Artikeln hundertmal so hoch wie bisher.',
    ],
    ['stocks below 0', 'stock', `i`, `-i`, 'ist bei keinem Artikel mehr größer als 0; bisher waren es 199.'],
    [
      'stocks of 0 where few items had stock',
      'stock',
      `CASE WHEN i < 20 THEN 3 ELSE 0 END`,
      `0`,
      'ist bei keinem Artikel mehr größer als 0; bisher waren es 20.',
    ],
    ['stocks of 0 for 60 % of the items', 'stock', `i + 1`, `CASE WHEN i % 10 < 4 THEN i + 1 ELSE 0 END`],
    [
      'items that become unavailable',
      'availability',
      `'in_stock'`,
      `CASE WHEN i < 10 THEN 'in_stock' ELSE 'out_of_stock' END`,
      'nennt nur noch 10 Artikel verfügbar; bisher waren es 200.',
    ],
    [
      'items that become unavailable, in German words',
      'availability',
      `'Sofort lieferbar'`,
      `CASE WHEN i < 100 THEN 'Derzeit nicht verfügbar' ELSE 'ausverkauft' END`,
      'nennt keinen Artikel mehr verfügbar; bisher waren es 200.',
    ],
    ['missing availabilities', 'availability', `'in stock'`, `NULL`, 'ist bei 200 von 200 Artikeln leer.'],
    ['another word for available', 'availability', `'in_stock'`, `'in stock'`],
    ['half of the items becoming unavailable', 'availability', `'ja'`, `CASE WHEN i % 2 = 0 THEN 'nein' ELSE 'ja' END`],
    ['one title for all items', 'title', `'Ware ' || i`, `'Ware'`, 'hat jetzt überall denselben Wert (200 Artikel).'],
    ['a title that was the same for all items before', 'title', `'Ware'`, `'Andere Ware'`],
    ['new titles', 'title', `'Ware ' || i`, `'Neu ' || i`],
    ['two titles for all items', 'title', `'Ware ' || i`, `CASE WHEN i = 7 THEN 'Ware 7' ELSE 'Ware' END`],
    ['long titles', 'title', `repeat('ä', 400) || i`, `repeat('ä', 400) || -i`],
  ];
  it.for(cases)('report %s among 200 items only if the drift is grave', async ([, role, old, current, text]) => {
    const write = async (file: string, value: string) => {
      const path = join(folder, file);
      const rows = `SELECT 'A' || i AS _id, CAST(${value} AS VARCHAR) AS x0 FROM range(200) t(i)`;
      await duckdb.all({ sql: `COPY (${rows}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`, values: [] });
      return path;
    };
    const files = { before: await write('alt.parquet', old), after: await write('neu.parquet', current) };
    const drifts = await driftsBetween(duckdb, files, [{ field: 'feld', before: 'x0', after: 'x0', role }]);
    expect(drifts.filter(({ grave }) => grave).map(({ sentence }) => sentence)).toEqual(
      text === undefined ? [] : [`„feld“ ${text}`],
    );
  });
});
