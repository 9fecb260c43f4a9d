import { type ChartSeries, lookOf } from './chart-series.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './charts.module.css';

type Tooltip = {
  title: string;
  series: readonly ChartSeries[];
  isDark: boolean;
  index: number;
  details: readonly string[];
};

/** The values of all lines at a label, the largest first. Elements, not HTML: names are other people's texts. */
export function tooltipOf({ title, series, isDark, index, details }: Tooltip): HTMLElement {
  const box = document.createElement('div');
  box.className = classes.tooltip ?? '';
  box.append(element('strong', title));
  const rows = series
    .map((one) => ({ one, value: one.values[index] ?? 0 }))
    .toSorted((first, second) => second.value - first.value);
  for (const { one, value } of rows) {
    const row = element('div', '');
    const mark = element('span', '');
    mark.style.background = lookOf(one, isDark).color;
    row.append(mark, element('span', one.name), element('b', formatInteger(value)));
    box.append(row);
  }
  for (const detail of details) box.append(element('small', detail));
  return box;
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
