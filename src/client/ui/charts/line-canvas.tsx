import { LineChart } from 'echarts/charts';
import { DataZoomComponent, GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, init, use as register } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type Drawing, optionOf } from './chart-option.ts';
import type { ChartPlace } from './chart-series.ts';
import type { ChartWindow } from './time-axis.ts';

register([LineChart, DataZoomComponent, GridComponent, MarkLineComponent, TooltipComponent, CanvasRenderer]);

/** Pixels; the print styles stretch them to the width of the page. */
const printed = { width: 720, height: 300 };

export type LineCanvasProps = {
  drawing: Drawing;
  /** The point selected by keyboard: its values are shown as if the pointer were on it. */
  place: ChartPlace | null;
  window: ChartWindow;
  onWindow: (window: ChartWindow) => void;
};

/** The drawing of a line chart. The chart library is large, so this file is loaded with the first chart shown. */
export default function LineCanvas({ drawing, place, window, onWindow }: LineCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  const { axis, zoomable } = drawing;
  const onZoom = useEffectEvent(() => {
    const seen = chart.current === null ? undefined : windowIn(chart.current);
    if (seen !== undefined) onWindow(seen);
  });
  const optionNow = useEffectEvent((of: Drawing) => optionOf(of, window));
  useEffect(() => {
    if (box.current === null) return;
    const made = init(box.current, null, { renderer: 'canvas', devicePixelRatio: Math.max(2, devicePixelRatio) });
    chart.current = made;
    made.on('datazoom', () => onZoom());
    const watch = new ResizeObserver(() => matchMedia('print').matches || made.resize());
    watch.observe(box.current);
    return () => {
      watch.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);
  useEffect(() => {
    // Replaces all options: otherwise lines that are now hidden would remain.
    chart.current?.setOption(optionNow(drawing), { notMerge: true });
    // Paper has its own width, which no observer reports. The size suits a portrait page and is fine
    // enough to be stretched over a landscape one.
    if (drawing.printing) {
      chart.current?.resize({ ...printed, silent: true });
      // The resized drawing is painted in the next frame, but the browser captures the page before it.
      chart.current?.getZr().flush();
    } else chart.current?.resize({ width: 'auto', height: 'auto', silent: true });
  }, [drawing]);
  useEffect(() => {
    const drawn = chart.current;
    if (drawn === null || !zoomable) return;
    const seen = windowIn(drawn);
    // A slider being dragged is already there; redrawn, it would slip from under the pointer.
    if (seen?.from === window?.from && seen?.to === window?.to) return;
    const shown = window === null ? { start: 0, end: 100 } : { startValue: window.from, endValue: window.to };
    drawn.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, ...shown });
  }, [window, zoomable]);
  useEffect(() => {
    const drawn = chart.current;
    if (drawn === null) return;
    if (place === null) {
      drawn.dispatchAction({ type: 'hideTip' });
      return;
    }
    const x = drawn.convertToPixel({ xAxisIndex: 0 }, axis?.[place.index] ?? place.index);
    drawn.dispatchAction({ type: 'showTip', x, y: drawn.getHeight() / 3 });
  }, [place, axis]);
  return <div ref={box} style={{ width: '100%', height: '100%' }} aria-hidden />;
}

/** Returns the range that the slider shows; undefined if there is no slider. */
function windowIn(chart: ECharts): ChartWindow | undefined {
  const { dataZoom } = chart.getOption();
  const slider: unknown = Array.isArray(dataZoom) ? dataZoom[0] : undefined;
  if (typeof slider !== 'object' || slider === null) return undefined;
  const of = (name: string) => Object.entries(slider).find(([key]) => key === name)?.[1];
  const [start, end, from, to] = [of('start'), of('end'), of('startValue'), of('endValue')];
  if (start === 0 && end === 100) return null;
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : undefined;
}
