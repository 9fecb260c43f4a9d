/**
 * Figures of one thing over the minutes, each with the work done by then. `process`: must not grow; `data`: may grow with the
 * work; `queue`: waiting work, gone some time after the load ends; `lives`: figures of a process that is killed before it
 * settles, only shown.
 */
export type Series = {
  name: string;
  kind: 'process' | 'data' | 'queue' | 'lives';
  points: { minute: number; value: number; work: number }[];
};
export type Verdict = {
  name: string;
  first: number;
  last: number;
  /** Growth per hour at the pace of the second half, and growth per thousand units of work in both halves. */
  perHour: number;
  perWork: [first: number, last: number];
  judgement: 'steht' | 'mit der Last' | 'mit der Zeit' | 'WÄCHST' | 'zu kurz' | 'nur gezeigt';
};

/** Less growth than this share of its size per hour, or than `least`, counts as none. */
const STILL = { share: 0.15, least: 5, above: 1.05 };
/** Factor by which the same work, or the same time, may add more later than at first. */
const MORE = 1.5;
/** Differences up to this many standard deviations count as chance: a count scatters by its square root. */
const CHANCE = 3;
/** A process warms up first: earlier figures are not judged. */
const WARM = { minutes: 5, least: 10 };
/**
 * What comes at the end of a chain, like returns of shipped orders, has started after this share of the time; before, its pace
 * says nothing.
 */
const BEGINNING = 0.25;

/** Judges whether something is stable, grows with the work, or grows. */
export function verdictOf({ name, kind, points: noted }: Series): Verdict {
  const points = kind === 'data' ? whileWorking(noted) : noted;
  const [begin, end] = [points[0]?.minute ?? 0, points.at(-1)?.minute ?? 0];
  const warm = kind === 'process' ? WARM.minutes : (end - begin) * BEGINNING;
  const judged = points.filter(({ minute }) => minute >= begin + warm);
  const from = judged[0]?.minute ?? begin;
  const middle = (from + end) / 2;
  const first = judged.filter(({ minute }) => minute <= middle);
  const last = judged.filter(({ minute }) => minute >= middle);
  const perHour = slope(last, ({ minute }) => minute) * 60;
  const perWork: [number, number] = [slope(first, ({ work }) => work) * 1000, slope(last, ({ work }) => work) * 1000];
  const mean = last.reduce((sum, { value }) => sum + value, 0) / Math.max(1, last.length);
  const base = { name, first: points[0]?.value ?? 0, last: points.at(-1)?.value ?? 0, perHour, perWork };
  if (kind === 'lives') return { ...base, judgement: 'nur gezeigt' };
  if (kind === 'queue')
    return { ...base, judgement: base.last <= Math.max(STILL.least, base.first) ? 'steht' : 'WÄCHST' };
  if (last.length < 3 || (kind === 'process' && end - begin < WARM.least)) return { ...base, judgement: 'zu kurz' };
  // A varying figure has only risen if it is higher than ever before.
  const rose = highest(last) > highest(first) * STILL.above;
  if (!rose || perHour <= Math.max(STILL.least, mean * STILL.share)) return { ...base, judgement: 'steht' };
  const extent = (of: (point: Point) => number) => Math.max(...last.map(of)) - Math.min(...last.map(of));
  if (kind === 'data' && !faster(perWork, extent(({ work }) => work) / 1000))
    return { ...base, judgement: 'mit der Last' };
  // Rivals move by the clock: if the machine is slower, each unit of work meets more offers.
  const perTime: [number, number] = [slope(first, ({ minute }) => minute) * 60, perHour];
  return {
    ...base,
    judgement: kind === 'data' && !faster(perTime, extent(({ minute }) => minute) / 60) ? 'mit der Zeit' : 'WÄCHST',
  };
}

/**
 * Whether the second half, `extent` long, grew faster than the first, by more than chance explains. If nothing was added at
 * first, there is no pace to compare with.
 */
function faster([first, last]: readonly [number, number], extent: number): boolean {
  const expected = Math.max(first, 1) * MORE * extent;
  return last * extent > expected + CHANCE * Math.sqrt(expected);
}

/** Data growth is compared with the work: in the quiet phase marketplaces still send and orders still end, without any work. */
const whileWorking = (points: readonly Point[]): readonly Point[] =>
  points.filter(({ work }, index) => index === 0 || work > (points[index - 1]?.work ?? 0));

const highest = (points: readonly Point[]): number => Math.max(0, ...points.map(({ value }) => value));

type Point = Series['points'][number];

/** Returns the slope of the value by least squares. */
function slope(points: readonly Point[], of: (point: Point) => number): number {
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length);
  const [x, y] = [mean(points.map(of)), mean(points.map(({ value }) => value))];
  const spread = points.reduce((sum, point) => sum + (of(point) - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (of(point) - x) * (point.value - y), 0) / spread;
}

const number = (value: number) => value.toLocaleString('de-DE', { maximumFractionDigits: value < 100 ? 1 : 0 });

/** Returns the report's table, without what never changes and is small. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const shown = verdicts.filter(({ first, last, judgement }) => first !== last || judgement === 'WÄCHST');
  const lines = shown.map(
    ({ name, first, last, perHour, perWork, judgement }) =>
      `| ${name} | ${number(first)} | ${number(last)} | ${number(perHour)} | ${perWork.map(number).join(' / ')} | ${judgement} |`,
  );
  return [
    '| | Beginn | Ende | je Stunde (letzte Hälfte) | je 1000 Vorgänge (erste / letzte Hälfte) | |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...lines,
    `\n${verdicts.length - shown.length} weitere Reihen haben am Ende den Wert des Beginns.`,
  ].join('\n');
}
