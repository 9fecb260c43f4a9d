import classes from './cockpit.module.css';

const [width, height] = [120, 28];

/** The course of a number day by day: only its shape, since the number is next to it. */
export function Sparkline({ days }: { days: readonly number[] }) {
  const most = Math.max(...days, 1);
  const step = width / Math.max(1, days.length - 1);
  const points = days.map(
    (value, index) => `${(index * step).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`,
  );
  return (
    <svg className={classes.sparkline} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
