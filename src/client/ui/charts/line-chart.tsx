import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, useId, useMemo, useState, useSyncExternalStore } from 'react';
import type { Drawing } from './chart-option.ts';
import {
  type ChartMark,
  type ChartPlace,
  type ChartScale,
  type ChartSeries,
  type ChartSpan,
  isEmpty,
  nextMark,
  placeAfter,
} from './chart-series.ts';
import { ChartTable } from './chart-table.tsx';
import classes from './charts.module.css';
import { Legend } from './legend.tsx';
import { type ChartWindow, onAxis, spanOf, windowOf } from './time-axis.ts';
import { laterPart } from '#client/page-load/later-part.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { usePrinting } from '#client/ui/use-printing.ts';
import { byDay } from './by-day.ts';
import { ZoomSliders } from './zoom-sliders.tsx';

const LineCanvas = laterPart(() => import('./line-canvas.tsx'));
const noDetails = (): readonly string[] => [];
const noMarks: readonly ChartMark[] = [];
const never = () => () => undefined;
/** False on the server, which leaves the drawing out: the chart library draws only in a browser. */
const useInBrowser = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

export type LineChartProps = {
  /** What the chart shows, in one sentence. */
  label: string;
  /** Names of the points, as screen readers speak them. */
  labels: readonly string[];
  /** Times of the points, in milliseconds and ascending: if given, the points are placed on a time axis, in Berlin's time. */
  times?: readonly number[];
  series: readonly ChartSeries[];
  scale?: ChartScale;
  /** Formats a value, in the drawing and in the table. */
  format?: (value: number) => string;
  /** Unit of the values: „Stück“. */
  unit?: string;
  /** Shown in the empty axes if there is nothing to draw. */
  emptyText: string;
  details?: (index: number) => readonly string[];
  /** Notes to single labels. */
  marks?: readonly ChartMark[];
  /** Adds a slider that chooses a part of the time axis. */
  zoomable?: boolean;
  /** A value holds until the next one, as prices do. */
  stepped?: boolean;
  /** The values as a table to unfold; `head` names the labels, `onCsv` downloads it, `printedByDay`: one row per day on paper. */
  table?: { head: string; onCsv?: (cells: string[][]) => void; printedByDay?: boolean };
};

/**
 * Lines over days or over time. The legend shows and hides single lines without changing the others. Arrow keys lead along the
 * lines and speak their values; the same numbers must also be in a table, this one's own or one next to it. Hidden lines and the
 * chosen range survive a reload of the data.
 */
export function LineChart({ label, labels, series, emptyText, unit = '', ...options }: LineChartProps) {
  const {
    scale = 'log',
    format = formatInteger,
    details = noDetails,
    marks = noMarks,
    zoomable = false,
    stepped = false,
  } = options;
  const { times, table } = options;
  const printing = usePrinting();
  const days =
    printing && table?.printedByDay === true && times !== undefined ? byDay(times, series, marks) : undefined;
  const isDark = useComputedColorScheme('light') === 'dark' && !printing;
  const inBrowser = useInBrowser();
  const empty = isEmpty(series, scale);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [place, setPlace] = useState<ChartPlace | null>(null);
  const [window, setWindow] = useState<ChartWindow>(null);
  const helpId = useId();
  const axis = useMemo(() => times?.map(onAxis), [times]);
  const span = axis === undefined ? { first: 0, last: labels.length - 1 } : spanOf(axis, window);
  const drawing = useMemo((): Drawing => {
    const shown = series.filter(({ key }) => !hidden.has(key));
    const more = (index: number) => [...details(index), ...notesAt(marks, index)];
    return { labels, axis, series: shown, scale, marks, zoomable, stepped, isDark, printing, format, details: more };
  }, [labels, axis, series, hidden, scale, marks, zoomable, stepped, isDark, printing, format, details]);
  const shown = drawing.series;
  const isThere = place !== null && place.series < shown.length && isIn(span, place.index);
  const at = isThere ? place : null;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setPlace(null);
    const next = event.key === 'n' ? nextMark(marks, at, span) : placeIn(span, event.key, at, shown.length);
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
        data-zoomable={zoomable || undefined}
        role="application"
        aria-roledescription="Liniendiagramm"
        aria-label={label}
        aria-describedby={helpId}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setPlace(null)}
      >
        {inBrowser && <LineCanvas drawing={drawing} place={at} window={window} onWindow={setWindow} />}
        {empty && <p className={classes.empty}>{emptyText}</p>}
      </div>
      {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      {zoomable && axis !== undefined && labels.length > 2 && (
        <ZoomSliders labels={labels} span={span} onSpan={(chosen) => setWindow(windowOf(axis, chosen))} />
      )}
      <p className="k-hidden" role="status">
        {at !== null && spoken(drawing, at, unit)}
      </p>
      <Help id={helpId} logarithmic={scale === 'log' && !empty} hasMarks={marks.length > 0} />
      {table !== undefined && (
        <ChartTable
          head={days === undefined ? table.head : 'Tag, im Mittel'}
          onCsv={table.onCsv}
          {...(days ?? { labels, series, marks })}
          format={format}
        />
      )}
    </div>
  );
}

const isIn = ({ first, last }: ChartSpan, index: number) => index >= first && index <= last;

const notesAt = (marks: readonly ChartMark[], index: number): string[] =>
  marks.flatMap((mark) => (mark.index === index ? [`${mark.what ?? 'Notiz'}: ${mark.text}`] : []));

/** Returns the point that a key leads to among the labels that are shown. */
function placeIn({ first, last }: ChartSpan, key: string, at: ChartPlace | null, series: number) {
  const inside = at === null ? null : { ...at, index: at.index - first };
  const next = placeAfter(key, inside, { series, points: last - first + 1 });
  return next === undefined ? undefined : { ...next, index: next.index + first };
}

function spoken({ labels, series, format, marks }: Drawing, { series: line, index }: ChartPlace, unit: string): string {
  const value = series[line]?.values[index] ?? null;
  const words = [series[line]?.name, ...(value === null ? ['kein Wert'] : [format(value), unit])];
  return [`${labels[index]}: ${words.join(' ').trimEnd()}`, ...notesAt(marks, index)].join('. ');
}

function Help({ id, logarithmic, hasMarks }: { id: string; logarithmic: boolean; hasMarks: boolean }) {
  return (
    <p className="k-muted k-small" id={id}>
      {logarithmic && 'Logarithmische Skala; Nullwerte werden nicht gezeichnet. '}
      <span className="k-hidden">
        Pfeil links und rechts wechseln den Zeitpunkt, Pfeil hoch und runter die Linie
        {hasMarks && ', N führt zur nächsten Notiz'}. Dieselben Zahlen stehen in der Tabelle.
      </span>
    </p>
  );
}
