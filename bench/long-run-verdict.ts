/**
 * Figures of one thing over the minutes, each with how much work had been done by then. `process`: what no work explains; `data`: what
 * work may leave behind; `queue`: what waits, gone when the work is over and time was given; `lives`: of a process that is killed before
 * it settles, only told.
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
  /** What an hour would add at the pace of the last half, and what a thousand pieces of work added in the first half and in the last. */
  perHour: number;
  perWork: [first: number, last: number];
  judgement: 'steht' | 'mit der Last' | 'mit der Zeit' | 'WÄCHST' | 'zu kurz' | 'nur gezeigt';
};

/** Less than this share of its size in an hour is no growth; less than so many of a thing neither. */
const STILL = { share: 0.15, least: 5, above: 1.05 };
/** How much more the same work, or the same time, may leave behind later on than at first. */
const MORE = 1.5;
/** What happens by chance so often is no difference: a count scatters by its root, and three times that is rare. */
const CHANCE = 3;
/** A process warms up first: what is noted of it in less time is not judged. */
const WARM = { minutes: 5, least: 10 };
/** What stands at the end of a chain, as returns of orders that were shipped, has begun by then: this share of the time is no measure of its pace. */
const BEGINNING = 0.25;

/** Whether something settles, grows with the work, or grows. */
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
  // A figure that goes up and down has risen only where it stands higher than it ever did.
  const rose = highest(last) > highest(first) * STILL.above;
  if (!rose || perHour <= Math.max(STILL.least, mean * STILL.share)) return { ...base, judgement: 'steht' };
  const extent = (of: (point: Point) => number) => Math.max(...last.map(of)) - Math.min(...last.map(of));
  if (kind === 'data' && !faster(perWork, extent(({ work }) => work) / 1000))
    return { ...base, judgement: 'mit der Last' };
  // Rivals move by the clock: where the machine leaves less for the work, each piece of it stands beside more offers.
  const perTime: [number, number] = [slope(first, ({ minute }) => minute) * 60, perHour];
  return {
    ...base,
    judgement: kind === 'data' && !faster(perTime, extent(({ minute }) => minute) / 60) ? 'mit der Zeit' : 'WÄCHST',
  };
}

/**
 * Whether the last half, `extent` long, grew at a higher pace than the first, by more than chance makes of a few. What nothing left behind
 * at first has no pace to compare with.
 */
function faster([first, last]: readonly [number, number], extent: number): boolean {
  const expected = Math.max(first, 1) * MORE * extent;
  return last * extent > expected + CHANCE * Math.sqrt(expected);
}

/** What data grow by is compared with the work: in the quiet at the end, marketplaces go on sending and orders end, and nobody works. */
const whileWorking = (points: readonly Point[]): readonly Point[] =>
  points.filter(({ work }, index) => index === 0 || work > (points[index - 1]?.work ?? 0));

const highest = (points: readonly Point[]): number => Math.max(0, ...points.map(({ value }) => value));

type Point = Series['points'][number];

/** How much the value rises for one step of the other, by least squares. */
function slope(points: readonly Point[], of: (point: Point) => number): number {
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length);
  const [x, y] = [mean(points.map(of)), mean(points.map(({ value }) => value))];
  const spread = points.reduce((sum, point) => sum + (of(point) - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (of(point) - x) * (point.value - y), 0) / spread;
}

const number = (value: number) => value.toLocaleString('de-DE', { maximumFractionDigits: value < 100 ? 1 : 0 });

/** The table of the report; what never changes and is small stands in no line of its own. */
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
