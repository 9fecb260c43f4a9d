import { describe, expect, it } from 'vitest';
import { newRow, repeatedNames, unusedFields } from './rows.ts';

const field = (name: string) => ({ name, value: name, origin: 'import' as const });

describe('construction rows', () => {
  it('knows the fields no row passes on and the names that stand there twice', () => {
    const rows = [newRow('1', 'a'), { ...newRow('2', 'b'), exportfield: 'a ' }];
    expect(unusedFields(rows, [field('a'), field('b'), field('c')]).map(({ name }) => name)).toEqual(['c']);
    expect(repeatedNames(rows)).toEqual(new Set(['a']));
    expect(repeatedNames([newRow('1'), newRow('2')])).toEqual(new Set());
  });
});
