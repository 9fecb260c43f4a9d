import { type ChartSeries, lookOf } from './chart-series.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import classes from './charts.module.css';

type Tooltip = {
  title: string;
  series: readonly ChartSeries[];
  isDark: boolean;
  index: number;
  format: (value: number) => string;
  details: readonly string[];
};

/** More lines would not fit next to the pointer. */
const MOST_LINES = 16;
/** With more lines than this the last ones may be cut off, so the details come before them. */
const MANY_LINES = 7;

/**
 * Builds the tooltip of a label: the values of all lines, the largest first. As elements, not HTML: names are untrusted texts.
 */
export function tooltipOf({ title, series, isDark, index, format, details }: Tooltip): HTMLElement {
  const box = document.createElement('div');
  box.className = classes.tooltip ?? '';
  box.append(element('strong', title));
  const rows = series
    .flatMap((one) => {
      const value = one.values[index] ?? null;
      return value === null ? [] : [{ one, value }];
    })
    .toSorted((first, second) => second.value - first.value);
  if (rows.length > MANY_LINES) box.dataset['many'] = '';
  for (const { one, value } of rows.slice(0, MOST_LINES)) {
    const row = element('div', '');
    const mark = element('span', '');
    mark.style.background = lookOf(one, isDark).color;
    row.append(mark, element('span', one.name), element('b', format(value)));
    box.append(row);
  }
  if (rows.length > MOST_LINES)
    box.append(element('small', `und ${formatCount(rows.length - MOST_LINES, 'weitere Linie', 'weitere Linien')}`));
  for (const detail of details) box.append(element('small', detail));
  return box;
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
