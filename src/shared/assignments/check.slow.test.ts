import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shadowedRows } from './check.ts';
import { MappingRow, ROW_FILTERS } from './schema.ts';
import { processorMs } from '../../../test/stages/processor-time.ts';

const row = (id: string, filter: string, value: string, more: object = {}) =>
  MappingRow.parse({
    id,
    field: [{ type: '_field', value: 'Titel', caption: '' }],
    filter,
    value,
    target: 't',
    ...more,
  });

test('CAT-12 a row whose items are all taken by an earlier row is reported with that row', () => {
  expect(
    shadowedRows([row('1', 'contains', 'schuh'), row('2', 'is_equal', 'Schuhe'), row('3', 'begins_with', 'hand')]),
  ).toEqual([{ id: '2', by: '1' }]);
  expect(shadowedRows([row('1', 'is_equal', 'A'), row('2', 'is_equal', 'a')])).toEqual([{ id: '2', by: '1' }]);
  expect(shadowedRows([row('1', 'contains', 'a', { active: false }), row('2', 'is_equal', 'a')])).toEqual([]);
  expect(shadowedRows([row('1', 'contains', ''), row('2', 'is_equal', 'a')])).toEqual([]);
});

test('CAT-12 a row reported as shadowed never wins an item', () => {
  const words = ['', 'a', 'ab', 'abc', 'b', 'bc', 'c', 'ca'];
  const anyRow = fc.record({
    filter: fc.constantFrom(...ROW_FILTERS.map(({ filter }) => filter)),
    value: fc.constantFrom(...words),
    active: fc.boolean(),
  });
  const holds = ({ filter, value }: MappingRow, text: string) => {
    const found = ROW_FILTERS.find((one) => one.filter === filter);
    if (found === undefined) throw new Error(filter);
    const has = {
      contains: text.includes(value),
      equals: text === value,
      startsWith: text.startsWith(value),
      endsWith: text.endsWith(value),
    };
    return (text !== '' && value !== '' && has[found.kind]) !== found.negated;
  };
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 8 }), (made) => {
      const rows = made.map(({ filter, value, active }, index) => row(String(index), filter, value, { active }));
      const shadowed = new Set(shadowedRows(rows).map(({ id }) => id));
      for (const text of ['', 'a', 'ab', 'abc', 'abca', 'b', 'bca', 'xyz', 'cab']) {
        const winner = rows.find((one) => one.active && holds(one, text));
        expect(winner === undefined || !shadowed.has(winner.id)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

/** Texts of 8 to 200 letters, like titles, from a fixed sequence of pseudo-random numbers. */
function titles(count: number): string[] {
  let state = 1;
  const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  return Array.from({ length: count }, () =>
    Array.from({ length: 8 + next(193) }, () => 'enirstadhulcgmobwfkzpv '.charAt(next(23))).join(''),
  );
}
const numbered = Array.from({ length: 20_000 }, (_, index) => `wert ${index}x`);

test.each<[string, readonly string[], (index: number) => string, number]>([
  ['equality rows after a few others', numbered, (index) => (index % 100 === 0 ? 'contains' : 'is_equal'), 0],
  ['rows that look for a part', numbered, () => 'contains', 0],
  ['rows that look for a part of a title', titles(20_000), () => 'contains', 0],
  ['rows of all filters', numbered, (index) => ROW_FILTERS[index % ROW_FILTERS.length]?.filter ?? '', 3333],
])('MAP-07 20,000 %s are checked in less than 5 s', async (_name, values, filter, shadowed) => {
  const many = values.map((value, index) => row(String(index), filter(index), value));
  let found: ReturnType<typeof shadowedRows> = [];
  expect(await processorMs(() => (found = shadowedRows(many)))).toBeLessThan(5000);
  // Rows on an equality come after rows that exclude another value, so that these take all their items.
  expect(found).toHaveLength(shadowed);
  expect(found.every(({ by }) => Number(by) < 20)).toBe(true);
});
