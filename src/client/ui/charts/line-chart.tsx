import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, lazy, Suspense, useId, useMemo, useState } from 'react';
import { type ChartPlace, type ChartSeries, isEmpty, placeAfter } from './chart-series.ts';
import classes from './charts.module.css';
import { Legend } from './legend.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';

const LineCanvas = lazy(() => import('./line-canvas.tsx'));
const noDetails = (): readonly string[] => [];

type LineChartProps = {
  /** What is shown, in one sentence. */
  label: string;
  /** Names of the points, as they are spoken. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** What a value counts: „Stück“. */
  unit: string;
  /** Stands in the empty axes where every value is 0. */
  emptyText: string;
  details?: (index: number) => readonly string[];
};

/**
 * Lines over a logarithmic axis. The legend shows and hides single lines; no line changes another. Arrow keys lead along the lines
 * and speak their values; the same numbers belong into a table beside the chart.
 */
export function LineChart({ label, labels, series, unit, emptyText, details = noDetails }: LineChartProps) {
  const isDark = useComputedColorScheme('light') === 'dark';
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [place, setPlace] = useState<ChartPlace | null>(null);
  const helpId = useId();
  const shown = useMemo(() => series.filter(({ key }) => !hidden.has(key)), [series, hidden]);
  const empty = isEmpty(series);
  const at = place !== null && place.series < shown.length && place.index < labels.length ? place : null;
  const line = at === null ? undefined : shown[at.series];

  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, at, { series: shown.length, points: labels.length });
    if (event.key === 'Escape') setPlace(null);
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    setPlace(next);
  };
  return (
    <div className={classes.chart}>
      <Legend
        series={series}
        hidden={hidden}
        isDark={isDark}
        onHide={(keys) => {
          setHidden(keys);
          setPlace(null);
        }}
      />
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- the arrow keys lead through its values */}
      <div
        className={classes.canvas}
        role="application"
        aria-roledescription="Liniendiagramm"
        aria-label={label}
        aria-describedby={helpId}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setPlace(null)}
      >
        <Suspense fallback={null}>
          <LineCanvas labels={labels} series={shown} isDark={isDark} place={at} details={details} />
        </Suspense>
        {empty && <p className={classes.empty}>{emptyText}</p>}
      </div>
      {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <p className="k-hidden" role="status">
        {at !== null &&
          line !== undefined &&
          `${labels[at.index]}: ${line.name} ${formatInteger(line.values[at.index] ?? 0)} ${unit}`}
      </p>
      <p className="k-muted k-small" id={helpId}>
        Logarithmische Skala; Nullwerte werden nicht gezeichnet.{' '}
        <span className="k-hidden">
          Pfeil links und rechts wechseln den Tag, Pfeil hoch und runter die Linie. Dieselben Zahlen stehen in der
          Tabelle.
        </span>
      </p>
    </div>
  );
}
