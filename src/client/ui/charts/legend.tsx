import type { MouseEvent } from 'react';
import { type ChartSeries, lookOf } from './chart-series.ts';
import classes from './charts.module.css';

type LegendProps = {
  series: readonly ChartSeries[];
  hidden: ReadonlySet<string>;
  isDark: boolean;
  onHide: (hidden: ReadonlySet<string>) => void;
};

/** With more lines than this the legend has a fixed height. */
const MOST_OPEN = 12;

/** A button for each line, which shows or hides it; with Alt it shows this line alone, and all lines again the second time. */
export function Legend({ series, hidden, isDark, onHide }: LegendProps) {
  const press = (key: string, { altKey }: MouseEvent) => {
    if (altKey) {
      const others = series.flatMap((one) => (one.key === key ? [] : [one.key]));
      const alone = !hidden.has(key) && others.every((other) => hidden.has(other));
      onHide(new Set(alone ? [] : others));
    } else onHide(new Set(hidden.has(key) ? [...hidden].filter((other) => other !== key) : [...hidden, key]));
  };
  return (
    <div
      className={classes.legend}
      data-many={series.length > MOST_OPEN || undefined}
      role="group"
      aria-label="Linien ein- und ausblenden"
    >
      {series.map((one) => {
        const { color, dash, width } = lookOf(one, isDark);
        const shown = !hidden.has(one.key);
        return (
          <button
            key={one.key}
            type="button"
            className={classes.entry}
            data-series
            aria-pressed={shown}
            title={`${one.name} ${shown ? 'ausblenden' : 'einblenden'} (mit Alt: nur diese Linie)`}
            onClick={(event) => press(one.key, event)}
          >
            <svg width="26" height="10" aria-hidden>
              <line
                x1="0"
                y1="5"
                x2="26"
                y2="5"
                stroke={color}
                strokeWidth={width + 1}
                strokeDasharray={dash.join(' ')}
              />
            </svg>
            {one.name}
          </button>
        );
      })}
    </div>
  );
}
