import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LineChart, type LineChartProps } from './line-chart.tsx';

const day = 24 * 60 * 60_000;
const times = Array.from({ length: 250 }, (_, index) => Date.parse('2026-10-01T00:00:00Z') + index * day);
const drawn = (props: Partial<LineChartProps>) =>
  renderToString(
    createElement(
      MantineProvider,
      null,
      createElement(LineChart, {
        label: 'Preise',
        labels: times.map((time) => `Tag ${(time - (times[0] ?? 0)) / day}`),
        times,
        series: Array.from({ length: 40 }, (_, position) => ({
          key: `${position}`,
          name: `Händler ${position}`,
          position,
          values: times.map((_time, index) => (index === 1 ? null : index)),
        })),
        emptyText: 'Nichts da',
        ...props,
      }),
    ),
  );

it('RDA-07 the server renders the first page of the table of 40 lines, and no drawing', () => {
  const marks = [{ index: 2, text: '<script>alert(1)</script>' }];
  const html = drawn({ table: { head: 'Tag' }, zoomable: true, marks, format: (value) => `${value} €` });
  // Compares only a boolean: a failing assertion on the text would print the whole page.
  const holds = (text: string) => html.includes(text);
  expect(holds('<canvas')).toBe(false);
  expect([holds('<script>'), holds('&lt;script&gt;')]).toEqual([false, true]);
  expect(html.match(/<tr/g)).toHaveLength(101);
  expect(holds('<th scope="row">Tag 1</th><td>–</td>')).toBe(true);
  expect(holds('<th scope="row">Tag 2</th><td>2 €</td>')).toBe(true);
  expect(html.match(/aria-pressed="true"/g)).toHaveLength(40);
  expect(html.match(/type="range"/g)).toHaveLength(2);
});

it('RDA-02 a chart without points shows its empty text and does not break', () => {
  const says = (props: Partial<LineChartProps>) => drawn(props).includes('Nichts da');
  expect(says({ series: [], labels: [], times: [], zoomable: true })).toBe(true);
  expect(says({ scale: 'linear' })).toBe(false);
});
