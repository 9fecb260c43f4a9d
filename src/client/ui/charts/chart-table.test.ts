import { expect, it } from 'vitest';
import { chartCells } from './chart-table.tsx';

it("RDA-01 a chart's table has every line, decimal commas, empty cells for unknown values, and the notes unescaped", () => {
  const series = [
    { key: 'a', name: 'Nägel; "groß"', position: 0, values: [12.5, null] },
    { key: 'b', name: 'B', position: 1, values: [0, 3] },
  ];
  const labels = ['Mo., 1', 'Di., 2'];
  expect(chartCells({ head: 'Tag', labels, series, marks: [] })).toEqual([
    ['Tag', 'Nägel; "groß"', 'B'],
    ['Mo., 1', '12,5', '0'],
    ['Di., 2', '', '3'],
  ]);
  const marks = [
    { index: 1, text: '<b>x</b>' },
    { index: 1, text: 'y' },
  ];
  expect(chartCells({ head: 'Tag', labels, series, marks }).map((row) => row.at(-1))).toEqual([
    'Notizen',
    '',
    '<b>x</b> · y',
  ]);
});
