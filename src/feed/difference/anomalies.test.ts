import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { driftsBetween, type ComparedField } from './anomalies.ts';

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
  const ratios = priced.map(([old, current]) => (numberIn(current.price) ?? 0) / (numberIn(old.price) ?? 0));
  const share = (holds: (ratio: number) => boolean) => ratios.filter(holds).length >= ratios.length / 2;
  if (ratios.length >= 5) {
    if (share((ratio) => ratio >= 80 && ratio <= 125) || share((ratio) => ratio >= 0.008 && ratio <= 0.0125))
      drifts.push('scaled');
    else if (share((ratio) => ratio !== 1)) drifts.push('prices');
  }
  const numeric = count((_, { stock }) => numberIn(stock) !== undefined);
  if (count(({ stock }) => positive(stock)) >= 5 && count((_, { stock }) => positive(stock)) === 0 && numeric > 0)
    drifts.push('stock');
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
      const kinds = (await driftsBetween(duckdb, files, fields)).map(({ kind }) => kind);
      expect({ round, kinds }).toEqual({ round, kinds: expected(before, after) });
      kinds.forEach((kind) => found.add(kind));
    }
    expect([...found].toSorted()).toEqual(['emptied', 'prices', 'scaled', 'stock']);
  });
});
