import { expect, it } from 'vitest';
import { LONGEST_COLUMN_LIST, readColumns, writeColumns } from './column-list.ts';

const id = (number: number) => `f${String(number).padStart(4, '0')}`;
const numbered = (count: number, step = 1) => Array.from({ length: count }, (_, at) => id(1 + at * step));

it.each([
  [[]],
  [['f0001']],
  [['f0002', 'f0001']],
  [['f0001', 'f0002', 'f0004']],
  [['f9998', 'f9999', 'f10000', 'f10001']],
])('columns are read as they were written, in the same order: %j', (ids) =>
  expect(readColumns(writeColumns(ids))).toEqual(ids),
);

it('ITE-02 ten thousand columns but a few fit into an address, and two thousand scattered ones', () => {
  const most = numbered(10_000).filter((_, at) => at % 2000 !== 7);
  const scattered = numbered(2000, 2);
  for (const ids of [most, scattered]) {
    const text = writeColumns(ids);
    expect(encodeURIComponent(text).length).toBeLessThanOrEqual(LONGEST_COLUMN_LIST);
    expect(readColumns(text)).toEqual(ids);
  }
});

it('lists of older addresses are read, and what is no id is left out; a range without an end is cut', () => {
  expect(readColumns('f0001,f0003,x,f,f0001')).toEqual(['f0001', 'f0003']);
  expect(readColumns('f0003-f0001.-.f1-')).toEqual([]);
  expect(readColumns('f0001-f9999999999')).toHaveLength(10_000);
  expect(readColumns('f0001-f9000.f0001-f9000.f9500')).toEqual([...numbered(9000), 'f9500']);
  expect(readColumns('f0001-f6000.f0001-f6000.f7000-f8000')).toEqual(numbered(6000));
});
