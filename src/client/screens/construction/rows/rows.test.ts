import { describe, expect, it } from 'vitest';
import { newRow, unusedFields } from './rows.ts';

const field = (name: string) => ({ name, value: name, origin: 'import' as const });

describe('construction rows', () => {
  it('lists the fields that no row uses as its source', () => {
    const rows = [newRow('1', 'a'), { ...newRow('2', 'b'), exportfield: 'a ' }];
    expect(unusedFields(rows, [field('a'), field('b'), field('c')]).map(({ name }) => name)).toEqual(['c']);
  });
});
