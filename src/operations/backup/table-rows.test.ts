import { describe, expect, it } from 'vitest';
import { RowSum } from './table-rows.ts';

const sumOf = (...pieces: string[][]) => {
  const sum = new RowSum();
  for (const piece of pieces) sum.add(piece);
  return { rows: sum.rows, digest: sum.digest() };
};

describe('the sum of a table’s rows', () => {
  it('does not depend on the order in which the rows lie', () => {
    expect(sumOf(['(1,a)', '(2,b)'], ['(3,c)'])).toEqual(sumOf(['(3,c)'], ['(2,b)', '(1,a)']));
  });

  it('tells a changed row, a row that lacks and a row that is there twice', () => {
    const { digest } = sumOf(['(1,a)', '(2,b)']);
    expect(sumOf(['(1,a)', '(2,c)']).digest).not.toBe(digest);
    expect(sumOf(['(1,a)']).digest).not.toBe(digest);
    expect(sumOf(['(1,a)', '(2,b)', '(2,b)', '(2,b)']).digest).not.toBe(digest);
  });

  it('keeps its length when it wraps', () => {
    const rows = Array.from({ length: 1000 }, (_, n) => `(${n})`);
    expect(sumOf(rows)).toEqual({ rows: 1000, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
