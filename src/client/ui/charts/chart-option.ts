import { type ChartMark, type ChartScale, type ChartSeries, isEmpty, lookOf, pointsOf } from './chart-series.ts';
import { tooltipOf } from './chart-tooltip.ts';
import type { ChartWindow } from './time-axis.ts';

export type Drawing = {
  labels: readonly string[];
  /** Positions of the labels on a time axis; undefined: evenly spaced. */
  axis: readonly number[] | undefined;
  series: readonly ChartSeries[];
  scale: ChartScale;
  marks: readonly ChartMark[];
  zoomable: boolean;
  /** A value holds until the next one (steps), instead of sloping towards it. */
  stepped: boolean;
  isDark: boolean;
  /** For paper: light colours whatever the page's scheme is, and no interactive parts. */
  printing: boolean;
  format: (value: number) => string;
  /** Further lines about a label, shown below its values. */
  details: (index: number) => readonly string[];
};

const paper = {
  text: '#18181b',
  muted: '#55585f',
  line: '#e2e4e8',
  surface: '#ffffff',
  link: '#3a45c2',
  selected: '#eef0ff',
} as const;

/** Returns the colours of the page as drawn now, or those of paper: print styles apply only after the drawing is made. */
function inkOf(printing: boolean) {
  const style = getComputedStyle(document.documentElement);
  const token = (name: keyof typeof paper) => (printing ? paper[name] : style.getPropertyValue(`--k-${name}`).trim());
  return {
    font: getComputedStyle(document.body).fontFamily,
    text: token('text'),
    muted: token('muted'),
    line: token('line'),
    surface: token('surface'),
    link: token('link'),
    selected: token('selected'),
  };
}
type Ink = ReturnType<typeof inkOf>;

/** Returns the drawing as options of the chart library. */
export function optionOf(drawing: Drawing, window: ChartWindow) {
  const { labels, series, scale, isDark, format, details, printing } = drawing;
  const ink = inkOf(printing);
  const zoomable = drawing.zoomable && !printing;
  return {
    useUTC: true,
    animation: !printing && !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 150,
    animationDurationUpdate: 150,
    textStyle: { fontFamily: ink.font },
    grid: {
      left: 8,
      right: 16,
      top: 16,
      bottom: zoomable ? 54 : 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      backgroundColor: ink.surface,
      borderColor: ink.line,
      textStyle: { color: ink.text, fontSize: 13 },
      axisPointer: { lineStyle: { color: ink.muted } },
      formatter: (shown: { dataIndex: number } | { dataIndex: number }[]) => {
        const index = (Array.isArray(shown) ? shown[0] : shown)?.dataIndex ?? 0;
        return tooltipOf({ title: labels[index] ?? '', series, isDark, index, format, details: details(index) });
      },
    },
    xAxis: xAxisOf(drawing, ink),
    yAxis: {
      ...axisOf(ink),
      type: scale === 'log' ? 'log' : 'value',
      scale: scale === 'fitted',
      ...(scale === 'log' ? { min: 1 } : {}),
      ...(isEmpty(series, scale) ? { max: 10 } : {}),
      axisLabel: { ...axisOf(ink).axisLabel, formatter: format },
      splitLine: { lineStyle: { color: ink.line } },
    },
    // On paper the chosen range stays; only its slider is hidden.
    ...(drawing.zoomable ? { dataZoom: zoomOf(ink, window).map((one) => ({ ...one, show: zoomable })) } : {}),
    series: [...series.map((one) => lineOf(one, drawing)), marksOf(drawing, ink)],
  };
}

const axisOf = ({ muted }: Ink) => ({ axisLabel: { color: muted, fontSize: 12 }, axisTick: { show: false } });

function xAxisOf({ labels, axis }: Drawing, ink: Ink) {
  const base = { ...axisOf(ink), axisLine: { lineStyle: { color: ink.line } } };
  // The first of a month gets a label next to any other day: labels that nearly touch read as one number.
  const axisLabel = { ...base.axisLabel, margin: 12, hideOverlap: true, textMargin: [0, 8] };
  if (axis === undefined)
    return {
      ...base,
      type: 'category',
      // The weekday would take the space of the next label.
      data: labels.map((label) => label.replace(/^\S+ /, '')),
      axisLabel,
      boundaryGap: labels.length === 1,
    };
  const hour = '{HH}:{mm}';
  const day = '{dd}.{MM}.';
  const formatter = { year: '{yyyy}', month: day, day, hour, minute: hour, second: hour, millisecond: hour };
  return { ...base, type: 'time', axisLabel: { ...axisLabel, formatter } };
}

function zoomOf(ink: Ink, window: ChartWindow) {
  const shown = window === null ? { start: 0, end: 100 } : { startValue: window.from, endValue: window.to };
  return [
    {
      type: 'slider',
      ...shown,
      height: 24,
      bottom: 8,
      left: 24,
      right: 24,
      showDetail: false,
      brushSelect: true,
      borderColor: ink.line,
      fillerColor: `${ink.link}22`,
      dataBackground: { lineStyle: { color: ink.muted }, areaStyle: { color: ink.line } },
      selectedDataBackground: { lineStyle: { color: ink.link }, areaStyle: { color: ink.selected } },
      handleStyle: { color: ink.surface, borderColor: ink.link },
      moveHandleStyle: { color: ink.muted },
      emphasis: { handleStyle: { color: ink.selected, borderColor: ink.link } },
    },
    // The wheel and a finger scroll the page; with Ctrl the wheel zooms.
    { type: 'inside', ...shown, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false, preventDefaultMouseMove: false },
  ];
}

function lineOf(one: ChartSeries, { axis, scale, stepped, isDark }: Drawing) {
  const { color, dash, width } = lookOf(one, isDark);
  return {
    type: 'line',
    name: one.name,
    data: pointsOf(one.values, scale).map(({ value, alone }, index) => ({
      value: axis === undefined ? value : [axis[index], value],
      symbol: alone ? 'circle' : 'none',
    })),
    symbolSize: width + 5,
    showAllSymbol: true,
    connectNulls: false,
    step: stepped ? 'end' : false,
    z: one.emphasis === 'own' ? 4 : one.position === 'total' ? 2 : 3,
    lineStyle: { color, width, type: dash.length === 0 ? 'solid' : [...dash] },
    itemStyle: { color },
    emphasis: { disabled: true },
  };
}

/** Returns the marks as a series of their own, which no legend button hides. */
function marksOf({ marks, axis }: Drawing, ink: Ink) {
  const places = [...new Set(marks.map(({ index }) => axis?.[index] ?? index))];
  return {
    type: 'line',
    data: [],
    silent: true,
    markLine: {
      silent: true,
      animation: false,
      symbol: ['none', 'pin'],
      symbolSize: 22,
      label: { show: false },
      lineStyle: { color: ink.link, type: 'dashed', width: 1 },
      itemStyle: { color: ink.link },
      data: places.map((xAxis) => ({ xAxis })),
    },
  };
}
