import type { PriceComparison as Ruler } from '#shared/repricer/history.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { layOut, type Layout, type Placed, type Point, rulerPoints, rulerText } from './ruler-layout.ts';
import classes from './prices.module.css';

/** Pixels. Drawn for both widths; the style sheet shows the one that fits, so that texts keep their size. */
const widths = { narrow: 250, wide: 560 } as const;
const lane = 17;
const half = 12;

/** Position of our price: between our limits, and against the best competitor and the buy box. */
export function PriceComparison({ ruler }: { ruler: Ruler }) {
  const points = rulerPoints(ruler);
  return (
    <div className={classes.ruler}>
      {points.length > 1 && (
        <>
          <Drawing points={points} currency={ruler.currency} width={widths.narrow} className={classes.narrow} />
          <Drawing points={points} currency={ruler.currency} width={widths.wide} className={classes.wide} />
        </>
      )}
      {rulerNotes(ruler).map((sentence) => (
        <p key={sentence} className="k-muted k-small">
          {sentence}
        </p>
      ))}
    </div>
  );
}

/** Notes on the age of the data and on what is missing. */
function rulerNotes({ at, min, max, bestCompetitor, ownShipping }: Ruler): string[] {
  const alone = bestCompetitor === null ? '; kein Wettbewerber zählt' : '';
  return [
    at === null ? 'Angebote anderer sind noch nicht bekannt.' : `Angebote vom ${formatTime(at)}${alone}.`,
    ...(min === null && max === null ? ['Preisgrenzen sind nicht bekannt: keine aktive Regel liest sie hier.'] : []),
    ...(bestCompetitor !== null && (ownShipping ?? 0) > 0
      ? ['Wettbewerber stehen hier ohne Ihre eigenen Versandkosten, damit sie mit Ihrem Preis vergleichbar sind.']
      : []),
  ];
}

function Drawing({
  points,
  currency,
  width,
  className = '',
}: {
  points: readonly Point[];
  currency: string;
  width: number;
  className?: string | undefined;
}) {
  const layout = layOut(points, currency, width);
  const axis = layout.lanesAbove * lane + half;
  const height = axis + half + layout.lanesBelow * lane + 4;
  return (
    <svg
      className={`${classes.drawing} ${className}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={rulerText(points, currency)}
    >
      <Track layout={layout} axis={axis} />
      {layout.above.map((placed) => (
        <line
          key={placed.kind}
          className={classes.leader}
          x1={placed.x}
          x2={placed.x}
          y1={axis}
          y2={axis - half - placed.lane * lane}
        />
      ))}
      {layout.below.map((placed) => (
        <line
          key={placed.kind}
          className={classes.leader}
          x1={placed.x}
          x2={placed.x}
          y1={axis}
          y2={axis + half + placed.lane * lane}
        />
      ))}
      {layout.below.map((placed) => (
        <g key={placed.kind}>
          <line className={classes.limit} x1={placed.x} x2={placed.x} y1={axis - 6} y2={axis + 6} />
          <text className={classes.word} x={placed.textX} y={axis + half + placed.lane * lane + 11}>
            {placed.text}
          </text>
        </g>
      ))}
      {layout.above.map((placed) => (
        <g key={placed.kind}>
          <Marker placed={placed} axis={axis} />
          <text
            className={placed.kind === 'own' ? classes.ownword : classes.word}
            x={placed.textX}
            y={axis - half - placed.lane * lane - 2}
          >
            {placed.text}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The whole scale, with the range between the limits. */
function Track({ layout, axis }: { layout: Layout; axis: number }) {
  const at = (kind: Point['kind']) => layout.below.find((placed) => placed.kind === kind)?.x;
  const [min, max] = [at('min'), at('max')];
  return (
    <>
      <line className={classes.track} x1={0} x2={layout.width} y1={axis} y2={axis} />
      {min !== undefined && max !== undefined && max > min && (
        <line className={classes.room} x1={min} x2={max} y1={axis} y2={axis} />
      )}
    </>
  );
}

/** Told apart by shape as well as by colour: a dot is ours, a diamond a competitor, a square the buy box. */
function Marker({ placed: { kind, x }, axis }: { placed: Placed; axis: number }) {
  if (kind === 'own') return <circle className={classes.own} cx={x} cy={axis} r={6} />;
  if (kind === 'buybox') return <rect className={classes.box} x={x - 5} y={axis - 5} width={10} height={10} rx={1} />;
  return <path className={classes.rival} d={`M${x} ${axis - 7} l7 7 l-7 7 l-7 -7 z`} />;
}
