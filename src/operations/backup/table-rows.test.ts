import { describe, expect, it } from 'vitest';
import { RowSum } from './table-rows.ts';

const sumOf = (...pieces: string[][]) => {
  const sum = new RowSum();
  for (const piece of pieces) sum.add(piece);
  return { rows: sum.rows, digest: sum.digest() };
};

describe('the checksum of a table’s rows', () => {
  it('does not depend on the order of the rows', () => {
    expect(sumOf(['(1,a)', '(2,b)'], ['(3,c)'])).toEqual(sumOf(['(3,c)'], ['(2,b)', '(1,a)']));
  });

  it('detects a changed row, a missing row and a duplicate row', () => {
    const { digest } = sumOf(['(1,a)', '(2,b)']);
    expect(sumOf(['(1,a)', '(2,c)']).digest).not.toBe(digest);
    expect(sumOf(['(1,a)']).digest).not.toBe(digest);
    expect(sumOf(['(1,a)', '(2,b)', '(2,b)', '(2,b)']).digest).not.toBe(digest);
  });

  it('has a constant length, also after an overflow', () => {
    const rows = Array.from({ length: 1000 }, (_, n) => `(${n})`);
    expect(sumOf(rows)).toEqual({ rows: 1000, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
