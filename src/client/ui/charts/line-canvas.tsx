import { LineChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, init, use as register } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { type ChartPlace, type ChartSeries, isEmpty, logPoints, lookOf } from './chart-series.ts';
import { tooltipOf } from './chart-tooltip.ts';
import { formatInteger } from '#client/ui/text/formats.ts';

register([LineChart, GridComponent, TooltipComponent, CanvasRenderer]);

export type LineCanvasProps = {
  labels: readonly string[];
  series: readonly ChartSeries[];
  isDark: boolean;
  /** Where the keyboard stands: its values are shown as if the mouse were there. */
  place: ChartPlace | null;
  /** More about a label: stands below its values. */
  details: (index: number) => readonly string[];
};

/** The drawing of a line chart. Its library is large: this file is loaded when the first chart is shown. */
export default function LineCanvas({ labels, series, isDark, place, details }: LineCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  useEffect(() => {
    if (box.current === null) return;
    const made = init(box.current, null, { renderer: 'canvas' });
    chart.current = made;
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(box.current);
    return () => {
      watch.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);
  useEffect(() => {
    // All anew: lines that are hidden now would else remain.
    chart.current?.setOption(optionOf({ labels, series, isDark, details }), { notMerge: true });
  }, [labels, series, isDark, details]);
  useEffect(() => {
    const drawn = chart.current;
    if (drawn === null) return;
    if (place === null) {
      drawn.dispatchAction({ type: 'hideTip' });
      return;
    }
    const x = drawn.convertToPixel({ xAxisIndex: 0 }, place.index);
    drawn.dispatchAction({ type: 'showTip', x, y: drawn.getHeight() / 3 });
  }, [place]);
  return <div ref={box} style={{ width: '100%', height: '100%' }} aria-hidden />;
}

/** Colours of the page as it is drawn now. */
function inkOf() {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--k-${name}`).trim();
  return {
    font: getComputedStyle(document.body).fontFamily,
    text: token('text'),
    muted: token('muted'),
    line: token('line'),
    surface: token('surface'),
  };
}

function optionOf({ labels, series, isDark, details }: Omit<LineCanvasProps, 'place'>) {
  const ink = inkOf();
  const axis = { axisLabel: { color: ink.muted, fontSize: 12 }, axisTick: { show: false } };
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 150,
    animationDurationUpdate: 150,
    textStyle: { fontFamily: ink.font },
    grid: { left: 8, right: 16, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
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
        return tooltipOf({ title: labels[index] ?? '', series, isDark, index, details: details(index) });
      },
    },
    xAxis: {
      ...axis,
      type: 'category',
      data: labels.map((label) => label.replace(/^\S+ /, '')),
      axisLabel: { ...axis.axisLabel, margin: 12 },
      boundaryGap: labels.length === 1,
      axisLine: { lineStyle: { color: ink.line } },
    },
    yAxis: {
      ...axis,
      type: 'log',
      min: 1,
      ...(isEmpty(series) ? { max: 10 } : {}),
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => formatInteger(value) },
      splitLine: { lineStyle: { color: ink.line } },
    },
    series: series.map((one) => {
      const { color, dash, width } = lookOf(one, isDark);
      return {
        type: 'line',
        name: one.name,
        data: logPoints(one.values).map(({ value, alone }) => ({ value, symbol: alone ? 'circle' : 'none' })),
        symbolSize: width + 5,
        showAllSymbol: true,
        connectNulls: false,
        z: one.position === 'total' ? 2 : 3,
        lineStyle: { color, width, type: dash.length === 0 ? 'solid' : [...dash] },
        itemStyle: { color },
        emphasis: { disabled: true },
      };
    }),
  };
}
