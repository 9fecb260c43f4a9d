import { expect, it } from 'vitest';
import type { DiagnosedProblem } from '#shared/diagnosis/schema.ts';
import { visibleProblems } from './filters.tsx';
import { readQuery, viewQuery } from './diagnosis-query.ts';

const problem = (key: string, field: string, items: number, gain: number): DiagnosedProblem => ({
  key,
  severity: 'error',
  field,
  title: field,
  sentence: '',
  means: '',
  todo: '',
  items,
  gain,
  fix: { kind: 'settings' },
});

it("problems are sorted as the address says, and problems that compare equal keep the server's order", () => {
  const problems = [problem('a', 'price', 5, 0), problem('b', 'brand', 9, 2), problem('c', 'brand', 1, 4)];
  const order = (address: string) =>
    visibleProblems(problems, readQuery(new URLSearchParams(address))).map(({ key }) => key);
  expect(order('')).toEqual(['a', 'b', 'c']);
  expect(order('reihenfolge=artikel')).toEqual(['b', 'a', 'c']);
  expect(order('reihenfolge=gewinn')).toEqual(['c', 'b', 'a']);
  expect(order('reihenfolge=feld&feld=brand')).toEqual(['b', 'c']);
  expect(order('reihenfolge=zufall')).toEqual(['a', 'b', 'c']);
});

it('a saved view of the problems keeps filters and order, but no run', () => {
  const address = 'schwere=error&feld=brand&reihenfolge=gewinn';
  expect(viewQuery(readQuery(new URLSearchParams(`${address}&lauf=x&artikel=A-1`))).toString()).toBe(address);
});
