import type { Figure } from '../results.ts';

/** The cost of a run: seconds until its end, and until its file was recorded; processor seconds of each worker. */
export type Spent = { wall: number; fileWall: number; cpu: readonly number[]; peakMb: number; load: number };
/** One run of an export: as a whole (no parts), or in parts by this number of workers. */
export type Way = Spent & { parts: number; workers: number; bytes: number; sha256: string };

export const nameOf = ({ parts, workers }: Pick<Way, 'parts' | 'workers'>): string =>
  parts === 0 ? 'am Stück, 1 Worker' : `${parts} Teile, ${workers} Worker`;

/** Returns errors in the files of one size: all must equal the first one, byte for byte. */
export function fileFaults(items: number, ways: readonly Way[]): string[] {
  const [first] = ways;
  return ways
    .filter(({ sha256 }) => sha256 !== first?.sha256)
    .map(
      (way) => `${count(items)} Artikel: die Datei von „${nameOf(way)}“ ist nicht die von „${nameOf(first ?? way)}“`,
    );
}

/** Compares ways with the run as a whole of the same round, as medians of their ratios. Each round begins with that run. */
export function growthFigures(prefix: string, ways: readonly Way[]): Figure[] {
  const figures = new Map<string, { way: Way; wall: number; cpu: number }[]>();
  let base: Way | undefined;
  for (const way of ways) {
    if (way.parts === 0) base = way;
    if (base === undefined || way === base) continue;
    const name = `${prefix}, ${nameOf(way)}`;
    const ratios = { way, wall: way.wall / base.wall, cpu: sum(way.cpu) / sum(base.cpu) };
    figures.set(name, [...(figures.get(name) ?? []), ratios]);
  }
  return [...figures].map(([name, rounds]) => {
    const walls = rounds.map(({ wall }) => wall).toSorted((one, other) => one - other);
    return {
      name,
      // Equal to the run as a whole. It is no requirement: workers that share one machine's cores gain less than on several
      // machines.
      goal: 1,
      ratio: middle(walls),
      min: walls[0] ?? Number.NaN,
      max: walls.at(-1) ?? Number.NaN,
      cpu: middle(rounds.map(({ cpu }) => cpu)),
      ms: 1000 * middle(rounds.map(({ way }) => way.wall)),
      rssMb: Math.max(...rounds.map(({ way }) => way.peakMb)),
    };
  });
}

export const growthHead = [
  '| Weg | s | davon ab „Datei schreiben“ | Prozessor-s der Worker | Spitze MB | s : am Stück | Prozessor : am Stück | Spitze : am Stück | Datei MB | sha256 | Last |',
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|',
].join('\n');

/** Returns a line of the table: a way, compared with the run as a whole of its round. */
export function growthLine(way: Way, base: Way): string {
  const ratio = (of: (one: Way) => number) => number(of(way) / of(base), 2);
  return `| ${[
    nameOf(way),
    number(way.wall, 1),
    number(way.fileWall, 1),
    way.cpu.map((seconds) => number(seconds, 1)).join(' + '),
    number(way.peakMb, 0),
    ratio(({ wall }) => wall),
    ratio(({ cpu }) => sum(cpu)),
    ratio(({ peakMb }) => peakMb),
    number(way.bytes / 1e6, 0),
    way.sha256.slice(0, 12),
    number(way.load, 1),
  ].join(' | ')} |`;
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
export const count = (items: number): string => items.toLocaleString('de-DE');
export const number = (value: number, digits: number): string =>
  value.toLocaleString('de-DE', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
