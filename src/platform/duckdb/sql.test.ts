import { expect, test } from 'vitest';
import { join, name, namesIn, ownNumber, ownText, duck, statement, withNames, storedFile, withFiles } from './sql.ts';

test('T9 values in a fragment are bound parameters, one per distinct value, and never SQL text', () => {
  const text = "'; DROP TABLE x; --";
  const { sql: written, values } = statement(duck`SELECT ${text} AS a, ${name('f0001')} = ${text} OR ${7} IS ${null}`);
  expect(written).toBe('SELECT $1 AS a, "f0001" = $1 OR $2 IS $3');
  expect(values).toEqual([text, 7, null]);
});

test('T9 only generated names are accepted as identifiers', () => {
  for (const wrong of ['Titel', 'a"b', '', 'a b', 'ä', '1a', 'x'.repeat(64)])
    expect(() => name(wrong)).toThrow('generated');
  expect(() => ownNumber(1.5)).toThrow();
  expect(() => ownText('a\0')).toThrow();
  expect(statement(ownText("it's")).sql).toBe("'it''s'");
});

test('fragments can be joined, list their column names, and have them replaced by other fragments', () => {
  const sum = join([name('a'), name('b'), ownNumber(3)], duck` + `);
  expect([...namesIn(sum)]).toEqual(['a', 'b']);
  const placed = withNames(sum, (one) => (one === 'a' ? duck`${name('c')} * ${'x'}` : undefined));
  expect(statement(placed)).toEqual({ sql: '("c" * $1) + "b" + 3', values: ['x'] });
});

test('a fragment of 300,000 pieces can be built', () => {
  const long = join(
    Array.from({ length: 300_000 }, () => name('a')),
    duck`, `,
  );
  expect(statement(duck`SELECT ${long}`).sql.length).toBeGreaterThan(1_000_000);
});

test('a statement lists the files it reads, and their paths can be replaced', () => {
  const read = (path: string) => duck`SELECT * FROM read_parquet(${storedFile(path)}, filename = true)`;
  const made = statement(
    duck`${read("a/it's.parquet")} UNION ALL ${read('b.parquet')} UNION ALL ${read('b.parquet')} WHERE ${'b.parquet'} = 1`,
  );
  expect(made.files).toEqual(["a/it's.parquet", 'b.parquet']);
  const placed = withFiles(made, (path) => (path === 'b.parquet' ? "/cache/$&'" : path));
  expect(placed.sql).toContain("read_parquet('a/it''s.parquet', filename = true)");
  expect(placed.sql.match(/read_parquet\('\/cache\/\$&'''/g)).toHaveLength(2);
  expect(placed.values).toEqual(['b.parquet']);
});
