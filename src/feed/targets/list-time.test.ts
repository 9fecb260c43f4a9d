import { expect, test } from 'vitest';
import { processorMs } from '../../../test/stages/processor-time.ts';
import { readList } from './read-list.ts';

/** An expression like `\s*>` or `.*?\s*$` would search such a gap again from each of its characters. */
const gap = `a${' '.repeat(90_000)}b`;

test.each([
  ['the path of a table', `ID;Pfad\n1;${gap} > c\n`, `${gap} > c`],
  ['the values of an attribute', `Attribut;Werte\nFarbe;"${gap} | c"\n`, gap],
  ['a line with id and path', `1 - ${gap} > c\n`, `${gap} > c`],
  ['a path alone', `${gap} > c\n`, `${gap} > c`],
  ['a line of a nested set', ` 1 | [ 1- 2] | ${gap} \n`, gap],
  ['a path in JSON', JSON.stringify([{ id: 1, name: 'c', path: `${gap} > c` }]), `${gap} > c`],
])('T4: a long gap in %s is read in less than 2 s', async (_what, text, name) => {
  const took = await processorMs(() => {
    expect(readList(new TextEncoder().encode(text)).entries[0]?.name).toBe(name);
  });
  expect(took).toBeLessThan(2000);
});

const COUNT = 8000;
const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
test.each([
  [
    'a list in which each entry is below the one before',
    `id;name;parent\n${Array.from({ length: COUNT }, (_, n) => `${n + 1};a;${n}`).join('\n')}`,
    /tiefer als 40/,
  ],
  [
    'a nested set of thousands of levels',
    Array.from({ length: COUNT }, (_, n) => `${n} | [${n}-${2 * COUNT - n}] | a`).join('\n'),
    /tiefer als 40/,
  ],
  [
    'a list whose long names are repeated in those of thousands of entries below',
    `id;name;parent\n${Array.from({ length: COUNT }, (_, n) => `${n + 2};a;1`).join('\n')}\n1;${'a'.repeat(90_000)};`,
    /größer als 64 MB/,
  ],
  [
    'a group whose attributes are repeated in each of thousands of categories',
    JSON.stringify([
      {
        categoryGroup: 'G',
        categories: Array.from({ length: 15_000 }, (_, n) => `${n}`),
        attributes: Array.from({ length: 6000 }, (_, n) => ({ name: `${n}` })),
      },
    ]),
    /größer als 64 MB/,
  ],
  [
    'a header of thousands of levels',
    `${lines(5000, (n) => `Ebene ${n}`).replaceAll('\n', ';')}\n${'a\n'.repeat(20_000)}`,
    /tiefer als 40/,
  ],
  [
    'a circle of more entries than a tree may have levels',
    `id;name;parent\n${Array.from({ length: COUNT }, (_, n) => `${n + 1};a;${((n + 1) % COUNT) + 1}`).join('\n')}`,
    /Kreis/,
  ],
])('T6: %s is refused in less than 2 s', async (_what, text, message) => {
  const took = await processorMs(() => {
    expect(() => readList(new TextEncoder().encode(text))).toThrow(message);
  });
  expect(took).toBeLessThan(2000);
});

test.each([
  ['a value that ten thousand attributes have', `Attribut;Wert\n${lines(10_000, (n) => `${n};a`)}`, '0 > a'],
  ['a header with a long gap behind the word for a level', `ID;Level${'_'.repeat(80_000)}x;Name\n1;2;a\n`, 'a'],
  [
    'a header of thousands of ids',
    `${'ID;'.repeat(10_000)}Name\n1${';'.repeat(10_000)}a\n${lines(20_000, (n) => `${n}`)}`,
    'a',
  ],
])('T6: %s is read in less than 2 s', async (_what, text, expected) => {
  const took = await processorMs(() => {
    const [first] = readList(new TextEncoder().encode(text)).entries;
    expect([first?.id, first?.name]).toContain(expected);
  });
  expect(took).toBeLessThan(2000);
});

test('a group of as many categories as a list may have is read', () => {
  const categories = Array.from({ length: 199_000 }, (_, n) => `K${n}`);
  const text = JSON.stringify([{ categoryGroup: 'G', categories }]);
  expect(readList(new TextEncoder().encode(text)).entries).toHaveLength(199_000);
});

test('a tree of forty levels of objects in lists is read, and one of more is refused', () => {
  const tree = (levels: number): object => ({
    id: `${levels}`,
    name: 'a',
    ...(levels > 1 ? { children: [tree(levels - 1)] } : {}),
  });
  const read = (levels: number) => readList(new TextEncoder().encode(JSON.stringify([tree(levels)]))).entries;
  expect(read(40)).toHaveLength(40);
  expect(() => read(41)).toThrow(/tiefer als 40/);
});
