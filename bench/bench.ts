import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cases } from './cases/cases.ts';
import type { Measured } from './cases/measure.ts';
import { prepare } from './cases/prepare.ts';
import { commitName, comparison, type Figure, keepResults, lastFigures, machineName } from './results.ts';

// `npm run bench [-- --million] [--runs=5] [--only=import,rules]`: every figure by which this program is judged, as the median of
// ratios to a named baseline. Both are measured in processes of their own, alternately, in one run. Exits with 1 if a goal is
// missed, so that it can guard a quiet machine. Results are stored in bench/results and compared with this machine's last ones.
const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const items = process.argv.includes('--million') ? 1_000_000 : 100_000;
const runs = Number(option('runs') ?? (items > 100_000 ? 3 : 5));
const only = option('only')?.split(',');
const folder = option('folder') ?? join(tmpdir(), `kontor-bench-${items}`);

mkdirSync(folder, { recursive: true });
console.log(`Katalog mit ${items.toLocaleString('de-DE')} Artikeln x 60 Spalten …`);
await prepare(folder, items);

console.log(
  `\n${'Messung'.padEnd(34)}${'Ziel'.padStart(7)}${'Verhältnis (min … max)'.padStart(28)}${'CPU'.padStart(7)}${'Kontor'.padStart(11)}${'Vergleich'.padStart(11)}${'RSS'.padStart(9)}   gegen`,
);
const root = new URL('..', import.meta.url).pathname;
const kept = join(root, 'bench', 'results');
const machine = machineName();
const last = lastFigures(kept, machine, items);
const figures: Figure[] = [];
const missed: string[] = [];
for (const [name, { title, goal, mostMs, baseline, count }] of Object.entries(cases)) {
  if (only && !only.includes(name)) continue;
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  for (let run = 0; run < runs; run++) {
    ours.push(measure(name, 'ours'));
    theirs.push(measure(name, 'baseline'));
  }
  const ratios = ours.map((one, index) => one.ms / (theirs[index]?.ms ?? Number.NaN));
  const figure: Figure = {
    name,
    goal,
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    cpu: median(ours.map((one, index) => one.cpu / (theirs[index]?.cpu ?? Number.NaN))),
    ms: median(ours.map((one) => one.ms)),
    rssMb: Math.max(...ours.map((one) => one.rssMb)),
  };
  figures.push(figure);
  const met = figure.ratio <= goal && figure.ms <= (mostMs ?? Infinity);
  if (!met) missed.push(name);
  const text = `${figure.ratio.toFixed(2)} (${figure.min.toFixed(2)} … ${figure.max.toFixed(2)})`;
  const ms = (list: Measured[]) => `${Math.round(median(list.map((one) => one.ms)))} ms`;
  const rss = `${Math.round(figure.rssMb)} MB`;
  const limit = mostMs === undefined ? '' : `, höchstens ${mostMs} ms`;
  const mark = `${met ? 'ok' : 'ÜBER ZIEL'}${limit}`;
  console.log(
    `${title.padEnd(34)}${`<=${goal}`.padStart(7)}${text.padStart(28)}${figure.cpu.toFixed(2).padStart(7)}${ms(ours).padStart(11)}${ms(theirs).padStart(11)}${rss.padStart(9)}   ${baseline}  ${mark}${perSecond(count, ours)}  ${comparison(figure, last.get(name))}`.trimEnd(),
  );
}
const results = { machine, commit: commitName(root), at: new Date().toISOString(), items, runs, figures };
console.log(
  `\n${figures.length - missed.length} von ${figures.length} Zielen erreicht. Ergebnisse: ${keepResults(kept, results)}`,
);
if (missed.length > 0) process.exitCode = 1;
if (!process.argv.includes('--keep') && existsSync(folder)) rmSync(folder, { recursive: true });

function perSecond(count: number | undefined, ours: readonly Measured[]): string {
  if (count === undefined) return '';
  const rate = (count * 1000) / median(ours.map(({ ms }) => ms));
  return `  ${Math.round(rate).toLocaleString('de-DE')}/s`;
}

function measure(name: string, side: 'ours' | 'baseline'): Measured {
  const result = spawnSync(
    process.execPath,
    [new URL('./cases/case.ts', import.meta.url).pathname, name, side, folder, String(items)],
    { encoding: 'utf8' },
  );
  const line = result.stdout.trim().split('\n').at(-1) ?? '';
  if (result.status !== 0) throw new Error(`${name}/${side}: ${result.stdout}${result.stderr}`);
  return JSON.parse(line) as Measured;
}

function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
