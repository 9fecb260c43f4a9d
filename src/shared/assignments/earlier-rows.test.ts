import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EarlierRows, implies } from './earlier-rows.ts';

test('CAT-12 the look-up finds the row that comparing all rows from the top finds', () => {
  const anyTest = fc.record({
    source: fc.constantFrom('Titel', 'Marke'),
    kind: fc.constantFrom('contains', 'equals', 'startsWith', 'endsWith'),
    negated: fc.boolean(),
    // Few letters, so that many values begin alike and contain each other.
    value: fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 4 }),
  });
  const rows = fc.array(fc.array(anyTest, { minLength: 1, maxLength: 2 }), { maxLength: 80, size: 'max' });
  fc.assert(
    fc.property(rows, rows, (above, asked) => {
      const earlier = new EarlierRows();
      for (const [at, tests] of above.entries()) earlier.add(String(at), tests);
      for (const tests of asked) {
        const at = above.findIndex((row) => row.every((condition) => tests.some((one) => implies(one, condition))));
        expect(earlier.firstThatTakes(tests)).toBe(at === -1 ? undefined : String(at));
      }
    }),
  );
});
