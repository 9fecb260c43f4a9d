import { Button } from '@mantine/core';
import type { ChartSpan } from './chart-series.ts';
import classes from './charts.module.css';

type ZoomSlidersProps = { labels: readonly string[]; span: ChartSpan; onSpan: (span: ChartSpan) => void };

/** The slider below a drawing as two fields for the keyboard: the first and the last label shown. */
export function ZoomSliders({ labels, span: { first, last }, onSpan }: ZoomSlidersProps) {
  const end = labels.length - 1;
  const slider = (name: string, value: number, onValue: (value: number) => void) => (
    <label className={classes.slider}>
      <span>{name}</span>
      <input
        type="range"
        min={0}
        max={end}
        value={value}
        aria-valuetext={labels[value]}
        onChange={({ currentTarget }) => onValue(Number(currentTarget.value))}
      />
      <output>{labels[value]}</output>
    </label>
  );
  return (
    <div className={`k-screen ${classes.sliders}`} role="group" aria-label="Ausschnitt">
      {slider('Von', first, (value) => onSpan({ first: value, last: Math.max(value, last) }))}
      {slider('Bis', last, (value) => onSpan({ first: Math.min(value, first), last: value }))}
      <Button
        variant="default"
        size="xs"
        disabled={first === 0 && last === end}
        onClick={() => onSpan({ first: 0, last: end })}
      >
        Ganzen Zeitraum zeigen
      </Button>
    </div>
  );
}
