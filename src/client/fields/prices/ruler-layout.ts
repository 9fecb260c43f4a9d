import type { PriceComparison } from '#shared/repricer/history.ts';
import { moneyText } from '#shared/values/money-text.ts';

export type PointKind = 'min' | 'standard' | 'max' | 'own' | 'rival' | 'buybox';
export type Point = { kind: PointKind; label: string; cents: number };

/** Returns an item's prices that fit on one scale: without our shipping; competitors at the price that we would have to set. */
export function rulerPoints(ruler: PriceComparison): Point[] {
  const { box, ownShipping } = ruler;
  const comparable = (landed: number | null) => (landed === null ? null : landed - (ownShipping ?? 0));
  const together = box === 'best';
  const points: (Omit<Point, 'cents'> & { cents: number | null })[] = [
    { kind: 'min', label: 'Min', cents: ruler.min },
    { kind: 'standard', label: 'Standard', cents: ruler.standard },
    { kind: 'max', label: 'Max', cents: ruler.max },
    { kind: 'own', label: box === 'own' ? 'Ihr Preis, BuyBox' : 'Ihr Preis', cents: ruler.own ?? ruler.shown },
    {
      kind: together ? 'buybox' : 'rival',
      label: together ? 'Wettbewerber, BuyBox' : 'Wettbewerber',
      cents: comparable(ruler.bestCompetitor),
    },
    { kind: 'buybox', label: 'BuyBox', cents: box === 'other' ? comparable(ruler.buyBox) : null },
  ];
  return points.flatMap(({ cents, ...point }) => (cents === null ? [] : [{ ...point, cents }]));
}

/** Returns the text alternative of the picture, cheapest first. */
export function rulerText(points: readonly Point[], currency: string): string {
  const words = points.toSorted((one, other) => one.cents - other.cents).map((point) => textOf(point, currency));
  return `Preise auf einer Skala: ${words.join('; ')}.`;
}

const textOf = ({ label, cents }: Point, currency: string) => `${label} ${moneyText(cents, currency)}`;

export type Placed = Point & {
  /** Pixels: position of the marker (`x`) and of its text's left edge (`textX`). */
  x: number;
  textX: number;
  text: string;
  textWidth: number;
  /** 0 is next to the scale. */
  lane: number;
  /** Too far away to be drawn to scale; the marker is at the end. */
  beyond: boolean;
};
export type Layout = { width: number; above: Placed[]; below: Placed[]; lanesAbove: number; lanesBelow: number };

const bounds: ReadonlySet<PointKind> = new Set(['min', 'standard', 'max']);
/** Pixels of a letter at 12 px, rather too wide than too narrow. */
const letter = 6.8;
const gap = 8;
const edge = 10;
/** How far a competitor may lie beyond our own prices before the scale ends, as a share of their range. */
const reach = 0.35;

/** Places market prices above the scale and limits below it; texts that would overlap take a lane further out. */
export function layOut(points: readonly Point[], currency: string, width: number): Layout {
  const scale = scaleOf(points, width);
  const place = (point: Point): Placed => {
    const { x, beyond } = scale(point.cents);
    const text = `${textOf(point, currency)}${beyond ? (x > width / 2 ? ' →' : ' ←') : ''}`;
    const textWidth = Math.min(width, Math.ceil(Array.from(text).length * letter));
    const textX = Math.max(0, Math.min(width - textWidth, x - textWidth / 2));
    return { ...point, x, beyond, text, textWidth, textX, lane: 0 };
  };
  const above = inLanes(points.filter(({ kind }) => !bounds.has(kind)).map(place));
  const below = inLanes(points.filter(({ kind }) => bounds.has(kind)).map(place));
  return { width, above, below, lanesAbove: lanes(above), lanesBelow: lanes(below) };
}

const lanes = (placed: readonly Placed[]): number => placed.reduce((most, { lane }) => Math.max(most, lane + 1), 0);

function scaleOf(points: readonly Point[], width: number): (cents: number) => { x: number; beyond: boolean } {
  const anchors = points.filter(({ kind }) => bounds.has(kind) || kind === 'own').map(({ cents }) => cents);
  const fixed = anchors.length > 0 ? anchors : points.map(({ cents }) => cents);
  const all = points.map(({ cents }) => cents);
  const [low, high] = [Math.min(...fixed), Math.max(...fixed)];
  const room = Math.max(high - low, high * 0.05, 1) * reach;
  const from = Math.max(Math.min(...all), low - room);
  const to = Math.min(Math.max(...all), high + room);
  const range = to - from;
  return (cents) => {
    const inside = Math.min(Math.max(cents, from), to);
    const share = range === 0 ? 0.5 : (inside - from) / range;
    return { x: edge + share * (width - 2 * edge), beyond: inside !== cents };
  };
}

function inLanes(placed: readonly Placed[]): Placed[] {
  const ends: number[] = [];
  return placed
    .toSorted((one, other) => one.textX - other.textX)
    .map((label) => {
      const free = ends.findIndex((end) => end + gap <= label.textX);
      const lane = free === -1 ? ends.length : free;
      ends[lane] = label.textX + label.textWidth;
      return { ...label, lane };
    });
}
